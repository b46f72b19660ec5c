#include "skyhook/simulation/choose_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formulation/projected.h"

namespace skyhook::simulation {
namespace {

// An explicit method of order 5 is stable for steps up to about 3.3 / rate. Its steps are bounded by accuracy rather than
// stability where stability allows steps of 10 ms, which vehicles' motions of some Hz need anyway, or where few steps are
// needed at all. Found with `skyhook compare` on the models of the repository.
constexpr double stable_step = 3.3, slow_rate = 330, few_steps = 600;

double size_of(CSpan x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

// One value for all components, so that the iteration does not start in a subspace.
void start_direction(Span z) {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = 1 + 0.3 * std::sin(static_cast<double>(3 * i + 1));
}

}  // namespace

double fastest_rate(const Prepared& prepared) {
  const formulation::Projected ode(prepared.active, {});
  const auto ws = ode.workspace();
  const formalism::State& s = prepared.state;
  std::vector<double> y(s.q);
  y.insert(y.end(), s.v.begin(), s.v.end());
  const std::size_t n = y.size();
  if (n == 0) return 0;
  std::vector<double> f(n), moved(n), f_moved(n), z(n);
  if (ode.rhs(s.t, y, f, *ws) != Eval::ok) return INFINITY;
  start_direction(z);
  const double increment = 1e-7 * (1 + size_of(y) / std::sqrt(static_cast<double>(n)));
  double rate = 0;
  constexpr int most = 60;
  for (int k = 0; k < most; ++k) {
    const double length = size_of(z);
    if (!(length > 0) || !std::isfinite(length)) return k == 0 ? 0 : rate;
    for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + increment * z[i] / length;
    if (ode.rhs(s.t, moved, f_moved, *ws) != Eval::ok) return INFINITY;
    for (std::size_t i = 0; i < n; ++i) z[i] = (f_moved[i] - f[i]) / increment;
    // Two steps at a time: a pair of complex eigenvalues turns positions into velocities, whose sizes differ.
    const double grown = size_of(z);
    const double mean = k == 0 ? grown : std::sqrt(grown * length);
    if (k > 10 && std::abs(mean - rate) < 0.01 * mean) return mean;
    rate = mean;
  }
  return rate;
}

Choice choose_solver(const Prepared& prepared, const model::Experiment& experiment) {
  if (experiment.solver != "auto") {
    const Solver named = find_solver(experiment.solver, experiment.where);
    if (named.formulation == "partitioning" && prepared.ok() && prepared.degrees_of_freedom() == 0)
      throw ModelError(experiment.where,
                       "the formulation partitioning needs a degree of freedom, but every motion is prescribed.",
                       "Choose the solver ida.");
    if (experiment.jacobian == "exact" || named.integrator == "ida") return {named, ""};
    throw ModelError(experiment.where,
                     fmt::format("the Jacobian strategy \"{}\" is one of ida, but the solver is {}.",
                                 experiment.jacobian, named.name()),
                     "Leave `jacobian` out, or choose the solver ida.");
  }
  const Solver implicit{"ida", "ggl"}, explicit_one{"dopri5", "projecting"};
  if (experiment.jacobian != "exact") return {implicit, "only ida knows other Jacobians than the exact one"};
  if (!prepared.ok() || prepared.degrees_of_freedom() == 0)
    return {implicit, "every motion is prescribed: the constraints lead"};
  const double rate = fastest_rate(prepared), span = experiment.until - experiment.from_time;
  const double steps = rate * span / stable_step;
  if (!(rate <= slow_rate) && !(steps <= few_steps)) {
    return {implicit, fmt::format("the model is stiff for an explicit method: its fastest rate at the start is {:.2g} "
                                  "1/s, which would need {:.2g} steps and more",
                                  rate, steps)};
  }
  return {explicit_one, fmt::format("the model is not stiff: its fastest rate at the start is {:.2g} 1/s, so that an "
                                    "explicit method may step {:.2g} s",
                                    rate, stable_step / rate)};
}

}  // namespace skyhook::simulation
