// `solver: auto`: which pair suits a model, and why.
#pragma once
#include <optional>

#include "skyhook/base/warning.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::simulation {

struct Choice {
  Solver solver;
  std::string why;          // empty: the user said so
  bool may_change = false;  // on the way: it was chosen by the rate, and that may become another
};

// Does it solve equations at each step, with a Jacobian?
bool is_implicit(const Solver& solver);
// Whether the integrator knows the Jacobian strategy, by name.
bool has_jacobian(const Solver& solver, const std::string& strategy);

// Of the experiment: the named solver, or for "auto" one that suits the model. Throws ModelError as find_solver() does.
Choice choose_solver(const Prepared& prepared, const model::Experiment& experiment);

// Whether `auto` calls a model with this fastest rate stiff at the start: an explicit method would need many steps for stability alone.
bool is_too_stiff(double rate, const model::Experiment& experiment);
Warning stiff_model(const Choice& choice, double rate, double t);

// On the way `auto` sees what limits the steps, and changes its mind by that. An explicit method at the border of its stability is left
// where it would need many more steps; an implicit one where its average step is well below what is stable. Empty: go on.
struct Progress {
  double t = 0;
  double rate = 0;  // 1/s, the fastest there
  double step = 0;  // s, of the implicit method in the mean
  int constraints = 0;
};
std::optional<Choice> leave_explicit(const Choice& now, const Progress& p, const model::Experiment& experiment);
std::optional<Choice> leave_implicit(const Progress& p, const model::Model& model);

// The fastest rate at which a small disturbance of the state grows, swings or decays (1/s): the spectral radius of the
// linearised equations, by power iteration on differences of the accelerations.
double fastest_rate(const Equations& equations, const formalism::State& state);

}  // namespace skyhook::simulation
