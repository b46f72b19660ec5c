// `solver: auto`: which pair suits a model, and why.
#pragma once
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::simulation {

struct Choice {
  Solver solver;
  std::string why;  // empty: the user said so
};

// Does it solve equations at each step, with a Jacobian?
bool is_implicit(const Solver& solver);
// Whether the integrator knows the Jacobian strategy, by name.
bool has_jacobian(const Solver& solver, const std::string& strategy);

// Of the experiment: the named solver, or for "auto" one that suits the model. Throws ModelError as find_solver() does.
Choice choose_solver(const Prepared& prepared, const model::Experiment& experiment);

// The fastest rate at which a small disturbance of the state grows, swings or decays (1/s): the spectral radius of the
// linearised equations, by power iteration on differences of the accelerations.
double fastest_rate(const Prepared& prepared);

}  // namespace skyhook::simulation
