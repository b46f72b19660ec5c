#include "skyhook/element/joint/planar.h"

#include <algorithm>
#include <array>

#include "skyhook/element/finding.h"
#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

namespace {

// The plane's two axes and its normal, with the names of the displacements.
struct Axes {
  Vec3d first, second, normal;
  const char *first_name, *second_name;
};

struct NamedPlane {
  const char* name;
  Axes axes;
};
// The angle counts about the positive global axis. So in xz it turns z towards x, although x is the first axis.
constexpr std::array<NamedPlane, 3> planes{{{"xy", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, "x", "y"}},
                                            {"xz", {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, "x", "z"}},
                                            {"yz", {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, "y", "z"}}}};

Axes of_plane(const std::string& plane, const model::FieldSource& source) {
  const auto found = std::ranges::find_if(planes, [&](const NamedPlane& p) { return plane == p.name; });
  if (found == planes.end()) {
    fail(source, "plane", "plane \"" + plane + "\" is not known.",
         "Choose xy, xz or yz, or give the normal as `axis`.");
  }
  return found->axes;
}

Axes of_normal(const Vec3d& normal) {
  const auto found = std::ranges::find_if(planes, [&](const NamedPlane& p) { return normal == p.axes.normal; });
  if (found != planes.end()) return found->axes;
  const Triad t = triad(normal);
  return {t.u, t.v, t.e, "u", "v"};
}

Axes choose(const Planar& planar, const model::FieldSource& source) {
  if (planar.axis && !planar.plane.empty()) {
    fail(source, "axis", "both `plane` and `axis` are given.", "Remove one: `axis` is the normal of the plane.");
  }
  if (planar.axis) return of_normal(unit_axis(source, "axis", *planar.axis));
  if (planar.plane.empty())
    fail(source, "plane", "the plane is missing.", "Give plane: xy, xz or yz, or its normal `axis`.");
  return of_plane(planar.plane, source);
}

}  // namespace

void Planar::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const Axes axes = choose(*this, source);
  joint.axis = axes.normal;
  joint.shape.rows = no_motion_along({axes.normal}) + parallel_axis({axes.normal, axes.first, axes.second});
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::prismatic, axes.first, axes.first_name},
                  .reference = reference_1,
                  .position = displacement_1,
                  .velocity = displacement_1_rate,
                  .drive = drive_1,
                  .drive_field = "drive_1"});
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::prismatic, axes.second, axes.second_name},
                  .reference = reference_2,
                  .position = displacement_2,
                  .velocity = displacement_2_rate,
                  .drive = drive_2,
                  .drive_field = "drive_2"});
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::revolute, axes.normal, "angle"},
                  .reference = reference_angle,
                  .position = angle,
                  .velocity = angle_rate,
                  .drive = drive_angle,
                  .drive_field = "drive_angle"});
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
