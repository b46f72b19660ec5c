#include "skyhook/simulation/frame_doubts.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/flexible/lost_inertia.h"

namespace skyhook::simulation {
namespace {

// Directions about which the joint lets its bodies turn, global; none where a drive says how.
std::vector<Vec3d> turns_of(const model::Joint& j) {
  if (std::ranges::any_of(j.drive, [](const auto& drive) { return drive.has_value(); })) return {};
  if (j.type == "revolute" || j.type == "cylindrical") return {normalized(j.axis)};
  if (j.type == "universal" || j.type == "spherical") return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return {};
}

double size_of_body(const model::ModalBody& b) {
  Vec3d low = b.points.front().at, high = low;
  for (const model::ModalPoint& p : b.points) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p.at[i]), high[i] = std::max(high[i], p.at[i]);
  }
  return norm(high - low);
}

// A place that no shape moves or turns: the frame is tangent there.
const model::ModalPoint* tangent_point(const model::ModalBody& b, const Vec3d& at, double near) {
  const auto is_still = [](const std::vector<Vec3d>& all) { return std::ranges::all_of(all, [](const Vec3d& x) { return norm(x) < 1e-9; }); };
  const auto found = std::ranges::find_if(b.points, [&](const model::ModalPoint& p) {
    return norm(p.at - at) <= near && is_still(p.shift) && is_still(p.turn);
  });
  return found == b.points.end() ? nullptr : &*found;
}

void doubt_joint(const model::Joint& joint, const model::Body& body, const Vec3d& at, std::vector<Warning>& out) {
  constexpr double small = 0.05;  // of the size: what small displacements may be
  if (!body.modal || body.modal->modes == 0 || body.modal->points.empty()) return;
  const double size = size_of_body(*body.modal);
  const Vec3d place = transpose_times(body.axes, at - body.at);
  const model::ModalPoint* const point = tangent_point(*body.modal, place, 1e-6 * size);
  if (!point) return;
  std::vector<Vec3d> axes = turns_of(joint);
  for (Vec3d& axis : axes) axis = transpose_times(body.axes, axis);
  const auto bend = flexible::bend_without_inertia(*body.modal, place, axes, small * size);
  if (!bend) return;
  out.push_back({"hinged_frame", body.where,
                 fmt::format("The frame of body \"{}\" is tangent at \"{}\", where joint \"{}\" lets it turn, so that it has little inertia of its own: where the "
                             "body bends by {:.2g} m, the stress that stiffens takes all of it, and a run may fail there.",
                             body.name, point->name, joint.name, *bend),
                 fmt::format("Take the line between two places as frame (`chord: [{}, ...]`) or mean axes; or write `stiffening: false`.", point->name)});
}

}  // namespace

std::vector<Warning> doubts_of_frames(const model::Model& m) {
  std::vector<Warning> out;
  for (const model::Joint& j : m.joints) {
    if (j.from != model::ground) doubt_joint(j, m.bodies[static_cast<std::size_t>(j.from)], j.at_from, out);
    if (j.to != model::ground) doubt_joint(j, m.bodies[static_cast<std::size_t>(j.to)], j.at_to, out);
  }
  return out;
}

}  // namespace skyhook::simulation
