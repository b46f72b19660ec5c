#include "skyhook/simulation/run_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/topology.h"
#include "skyhook/problem/problem.h"

namespace skyhook::simulation {

Warning study_only(const GradedSolver& g) {
  return {"study_only", {}, fmt::format("The solver {} is for studies only: {}.", g.solver.name(), g.why)};
}

Warning singular_position(const GradedSolver& g, double t) {
  return {"singular_position",
          {},
          fmt::format("The motion has passed a singular position at t = {:.4g} s, where {} may lose its way.", t,
                      g.solver.name()),
          "Compare with " + name_of(g.solver.integrator) + " alone, or with a tighter tolerance."};
}

Warning moved_by_event(const formalism::Moved& most, double t) {
  return {
      "moved_by_event",
      {},
      fmt::format("Parameters that an event has set at t = {:.6g} s move the mechanism: {} jumps from {:.6g} to {:.6g} "
                  "in SI units, others less.",
                  t, most.name, most.from, most.to),
      "Change lengths and points by a drive, over some time."};
}

Warning drive_set_by_event(const DriveSet& set, double t) {
  return {
      "drive_jumps", set.where,
      fmt::format("Parameters that an event has set at t = {:.6g} s make a drive jump, {}. All that it moves leaps, or "
                  "gets its impulse, there.",
                  t, set.text()),
      "Let the formula of the drive have the same value and rate on both sides of the event."};
}

// M(q) of a chain of N links changes with an angle by N^2 times as much as with the pose of a body, seen from its own rates (docs/theory/11).
std::optional<Warning> long_chain(const formalism::Topology& topology, const Cost& cost) {
  constexpr int many = 100;
  int levels = 0;
  for (const formalism::TreeLink& link : topology.links) levels = std::max(levels, link.depth);
  if (levels < many || 4 * cost.newton_failures <= cost.steps) return {};
  return Warning{
      "long_chain",
      {},
      fmt::format("Newton's method has failed {} times in {} steps. Up to {} joints follow each other here: in joint "
                  "coordinates the matrix of such a chain ages with the square of their number.",
                  cost.newton_failures, cost.steps, levels),
      "Choose `coordinates: absolute` for the chain, or try --coordinates absolute."};
}

Warning event_value_changed(const Unmet& u) {
  const std::string again = u.times > 1 ? fmt::format(" This happened {} times.", u.times) : "";
  return {"event_value_changed", u.where,
          fmt::format("Event \"{}\" asks for {} = {:.6g} at t = {:.6g} s, but the constraints do not allow that: it "
                      "becomes {:.6g}, in SI units.{}",
                      u.event, u.state, u.asked, u.t, u.used, again),
          "Set fewer states of this loop, or others."};
}

Warning event_near_dead_centre(const std::string& event, const formalism::NearDeadCentre& d, double t) {
  return {"dead_centre",
          {},
          fmt::format("Event \"{}\" sets {} to {:.6g} at t = {:.6g} s, close to a dead centre: other rates must be "
                      "{:.3g} times as large for it, {} is {:.6g}, in SI units.",
                      event, d.given.name, d.given.given, t, d.leverage, d.fastest, d.rate),
          "Set the rate of a joint that moves there."};
}

Warning samples_missing(double t) {
  return {
      "samples_missing",
      {},
      fmt::format("Samples from t = {:.6g} s on, up to what happens next, could not be solved and are left out.", t),
      "Take `samples: solved`: the run fails there then, and says why."};
}

Warning off_constraints(long states, double position_residual, double velocity_residual) {
  return {"off_constraints",
          {},
          fmt::format("{} state{} between steps could not be put onto the constraints, as near singular positions, and "
                      "{} only interpolated. The largest residuals recorded are {:.2g} m or rad and {:.2g} m/s or "
                      "rad/s.",
                      states, states == 1 ? "" : "s", states == 1 ? "is" : "are", position_residual, velocity_residual),
          "Choose a smaller `largest_step`, so that steps end nearer to where records are wanted."};
}

Warning energy_lost(double closure) {
  return {"energy_lost",
          {},
          fmt::format("The energy balance is off by {:.2g} % of the energy exchanged: the motion may be wrong.",
                      100 * closure),
          "Tighten the tolerance, or try another solver (`skyhook compare`)."};
}

// Errors of energy follow the tolerance, with a factor that is large where power jumps, as in dry friction: among the shipped models
// the largest closure is 4.5e-3 at 1e-6 and 4e-5 at 1e-8, at which this says 5e-3 and 5e-4 (docs/theory/05_equilibrium_energy.md).
double suspicious_closure(double tolerance) { return std::min(0.05, 5 * std::sqrt(tolerance)); }

}  // namespace skyhook::simulation
