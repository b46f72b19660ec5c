// `solver: auto`: which pair suits a model, and why.
#pragma once
#include "skyhook/base/warning.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::simulation {

struct Choice {
  Solver solver;
  std::string why;  // empty: the user said so
  double rate = 0;  // 1/s; the fastest at the start, where an explicit method was chosen by it
};

// Does it solve equations at each step, with a Jacobian?
bool is_implicit(const Solver& solver);
// Whether the integrator knows the Jacobian strategy, by name.
bool has_jacobian(const Solver& solver, const std::string& strategy);

// Of the experiment: the named solver, or for "auto" one that suits the model. Throws ModelError as find_solver() does.
Choice choose_solver(const Prepared& prepared, const model::Experiment& experiment);

// Whether `auto` calls a model with this fastest rate stiff: an explicit method would need many steps for stability alone. The
// run judges by the same where it warns of stiffness later on.
bool is_too_stiff(double rate, const model::Experiment& experiment);
Warning stiff_model(const Choice& choice, double rate, double t);

// The fastest rate at which a small disturbance of the state grows, swings or decays (1/s): the spectral radius of the
// linearised equations, by power iteration on differences of the accelerations.
double fastest_rate(const Prepared& prepared);

}  // namespace skyhook::simulation
