#include "skyhook/analysis/fast_spins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "skyhook/formalism/body_motion.h"

namespace skyhook::analysis {
namespace {

constexpr double few = 20;  // turns

struct Spin {
  int body;
  const model::Joint* joint;
  double rate;  // rad/s
};

bool floats(const formalism::Topology& topology, int body) {
  return body != model::ground &&
         topology.links[static_cast<std::size_t>(topology.link_of_body[static_cast<std::size_t>(body)])].joint < 0;
}

// About an axis through that point: whatever the angle is, it is the same body.
bool is_round(const model::Body& body, const Vec3d& axis, const Vec3d& point) {
  constexpr double part = 1e-3;
  const Vec3d a = perpendicular(axis), b = cross(axis, a);
  const double along = dot(axis, body.inertia * axis), across = dot(a, body.inertia * a),
               size = part * (along + 2 * across);
  const bool is_balanced = norm(body.inertia * axis - along * axis) < size &&
                           std::abs(dot(b, body.inertia * b) - across) < size &&
                           std::abs(dot(a, body.inertia * b)) < size;
  const Vec3d off = cross(body.com - point, axis);
  return is_balanced && body.mass * dot(off, off) < part * size;
}

std::vector<Spin> spins_of(const simulation::Prepared& p) {
  const model::Model& m = *p.model;
  const auto poses = formalism::poses_of(*p.all, p.state);
  const auto velocities = formalism::velocities_of(*p.all, p.state, formalism::Drives::move);
  std::vector<Spin> out;
  for (int j = 0; j < std::ssize(m.joints); ++j) {
    const model::Joint& joint = m.joints[static_cast<std::size_t>(j)];
    if (!p.all->is_cut(j)) continue;
    for (const model::Dof& dof : joint.shape.dofs) {
      for (const int body : {joint.from, joint.to}) {
        if (dof.kind != model::Dof::Kind::revolute || !floats(p.topology, body)) continue;
        const auto b = static_cast<std::size_t>(body);
        if (is_round(m.bodies[b], dof.axis, joint.at_to))
          out.push_back({body, &joint, std::abs(dot(velocities[b].w, poses[b].R * dof.axis))});
      }
    }
  }
  return out;
}

}  // namespace

std::optional<Warning> fast_spin(const simulation::Prepared& p, const model::Experiment& experiment) {
  if (!p.topology.any_absolute) return {};
  std::vector<Spin> spins = spins_of(p);
  const auto turns = [&](const Spin& spin) {
    return spin.rate * (experiment.until - experiment.from_time) / (2 * std::numbers::pi);
  };
  std::erase_if(spins, [&](const Spin& spin) { return turns(spin) < few; });
  if (spins.empty()) return {};
  std::set<int> bodies;
  for (const Spin& spin : spins) bodies.insert(spin.body);
  const Spin& fastest = *std::ranges::max_element(spins, {}, &Spin::rate);
  const model::Model& m = *p.model;
  const auto name = [&](int body) {
    return body == model::ground ? std::string("the ground")
                                 : '"' + m.bodies[static_cast<std::size_t>(body)].name + '"';
  };
  const int carrier = fastest.joint->to == fastest.body ? fastest.joint->from : fastest.joint->to;
  const std::string others = bodies.size() > 1 ? fmt::format(" (and {} more bodies likewise)", bodies.size() - 1) : "";
  return Warning{
      "fast_spin", m.bodies[static_cast<std::size_t>(fastest.body)].where,
      fmt::format("body {} has absolute coordinates and begins with {:.3g} rad/s about the axis of \"{}\", which makes "
                  "{:.3g} turns in this run{}. Its quaternion swings with them, and each turn "
                  "takes steps of its own, often tens; as angle of its joint it would take none.",
                  name(fastest.body), fastest.rate, fastest.joint->name, turns(fastest), others),
      carrier == model::ground
          ? std::string("Give it `coordinates: joint`, or run with --coordinates joint.")
          : fmt::format("Give it and {}, which carries it, `coordinates: joint`, or run with --coordinates joint.",
                        name(carrier))};
}

}  // namespace skyhook::analysis
