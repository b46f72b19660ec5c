#include "skyhook/simulation/out_of_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/drives_of_loop.h"
#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/linearised.h"
#include "skyhook/formalism/parts.h"

namespace skyhook::simulation {
namespace {

using formalism::State;
using Equations = formalism::EquationsOfMotion;

// Whether all constraints have a value where the drives have moved on.
bool has_values(const Equations& all, const State& from, double t) {
  std::vector<double> g(static_cast<std::size_t>(all.ng())), rates(g.size());
  auto work = all.workspace();
  all.constraints(t, from.q, from.v, g, rates, work);
  return std::ranges::all_of(g, [](double x) { return std::isfinite(x); });
}

// Whether the equations have values a little further along the motion: not where a body comes to the end of its track, which its joint says itself.
bool goes_on(const Equations& all, const State& last, double ahead) {
  State next = last;
  next.t += ahead;
  std::vector<double> way = last.v;
  for (double& x : way) x *= ahead;
  all.plus(next.q, way);
  formalism::Linearised at(all, formalism::Trace::rank);
  return at.evaluate(next);
}

// Of the loop of `row`; where none lies on it all that move then.
std::string drives_named(const Equations& all, int row, double t) {
  std::string names = row < 0 ? "" : formalism::drives_of_loop(all, row);
  if (!names.empty()) return names;
  const model::Model& m = all.model();
  const auto add = [&](const std::string& name, const model::Motion& drive) {
    if (drive.value_and_rate(t).rate != 0.0) names += (names.empty() ? "" : ", ") + name;
  };
  for (const auto& driven : all.driven()) {
    const model::Joint& joint = m.joints[driven.joint];
    add(formalism::coordinate_name(joint, driven.dof, false), *joint.drive[driven.dof]);
  }
  for (const auto& c : all.parts().conditions) {
    if (c.motion) add(all.rows()[c.row].element, *c.motion);
  }
  for (const auto& what : m.contributions) {
    if (what.is_rod() && what.row->drive) add(what.name, *what.row->drive);
  }
  return names;
}

}  // namespace

std::string drive_out_of_reach(const Equations& all, const State& last, double ahead) {
  if (drives_named(all, -1, last.t).empty() || all.ng() == 0) return {};
  if (!goes_on(all, last, 1e-3 * ahead)) return {};
  State reached = last;
  if (!formalism::assemble(all, reached, std::vector<int>{}).ok) return {};
  constexpr int halvings = 20;
  for (int k = halvings; k >= 0; --k) {
    State next = reached;
    next.t = last.t + std::ldexp(ahead, -k);
    const auto closed = formalism::assemble(all, next, std::vector<int>{});
    if (closed.ok) {
      reached = next;
      continue;
    }
    if (closed.open_row < 0 || !has_values(all, reached, next.t)) return {};  // the element says why
    const auto& row = all.rows()[closed.open_row];
    const std::string drives = drives_named(all, closed.open_row, next.t);
    return fmt::format(
        "The drive of {} asks for a position that the linkage cannot reach: from t = {:.6g} s on joint \"{}\" ({}) "
        "would have to open. Drive it less far, or change the lengths of the linkage.",
        drives, reached.t, row.element, row.direction);
  }
  return {};
}

std::string gimbal_lock_near(const Equations& all, const State& state) {
  constexpr double near = 1e-3;  // sine of the angle that is left
  const formalism::Poses poses = formalism::poses_of(all, state);
  const auto rotation = [&](int body) {
    return body == model::ground ? Mat3d::identity() : poses[static_cast<std::size_t>(body)].R;
  };
  for (const model::Joint& joint : all.model().joints) {
    const Mat3d R = transpose(rotation(joint.from)) * rotation(joint.to);
    if (formalism::distance_from_gimbal_lock(joint, R) > near) continue;
    return fmt::format(
        "Joint \"{}\" is in gimbal lock: its second angle is at 90 deg, where the first and the third turn about the "
        "same line. Use `coordinates: quaternion` for it, or lay its axes so that the second angle stays away from 90 "
        "deg.",
        joint.name);
  }
  return {};
}

}  // namespace skyhook::simulation
