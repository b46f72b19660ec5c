// Why the motion that a run has found may be wrong, in the user's words.
#pragma once
#include "skyhook/base/warning.h"
#include "skyhook/formalism/assembly.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::simulation {

Warning study_only(const GradedSolver& solver);
Warning singular_position(const GradedSolver& solver, double t);
Warning energy_lost(double closure);
Warning moved_by_event(const formalism::Moved& most, double t);

// A finished run whose books of energy close no better than this warns.
double suspicious_closure(double tolerance);

}  // namespace skyhook::simulation
