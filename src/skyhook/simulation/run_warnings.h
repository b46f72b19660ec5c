// Why the motion that a run has found may be wrong, in the user's words.
#pragma once
#include <optional>

#include "skyhook/base/warning.h"
#include "skyhook/simulation/drive_state.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook {
struct Cost;
}
namespace skyhook::formalism {
struct Moved;
struct NearDeadCentre;
struct Topology;
}  // namespace skyhook::formalism

namespace skyhook::simulation {

// A state that has not become what an event asks for, the first time.
struct Unmet {
  Location where;
  std::string event, state;
  double t, asked, used;
  long times = 1;
};

Warning study_only(const GradedSolver& solver);
Warning singular_position(const GradedSolver& solver, double t);
Warning energy_lost(double closure);
Warning moved_by_event(const formalism::Moved& most, double t);
Warning drive_set_by_event(const DriveSet& set, double t);
Warning event_near_dead_centre(const std::string& event, const formalism::NearDeadCentre& d, double t);
Warning event_value_changed(const Unmet& unmet);
// Where Newton's method has failed often on a chain of joints that is long enough to be the cause.
std::optional<Warning> long_chain(const formalism::Topology& topology, const Cost& cost);
// `samples: curve`: what was left out and comes from no curve.
Warning samples_missing(double t);
Warning off_constraints(long states, double position_residual, double velocity_residual);

// A finished run whose books of energy close no better than this warns.
double suspicious_closure(double tolerance);

}  // namespace skyhook::simulation
