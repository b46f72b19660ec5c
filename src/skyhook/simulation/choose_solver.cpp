#include "skyhook/simulation/choose_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formulation/projected.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/plausibility.h"

namespace skyhook::simulation {
namespace {

// An explicit method is stable for steps up to about 3 / rate. Accuracy rather than stability bounds its steps where
// stability allows 10 ms, which motions of some Hz need anyway, or where few steps are needed at all. Then it is the fastest
// on the models of the repository: adams on trees, where accelerations cost no more than residuals; dopri5 with constraints,
// unless there are many, of which an acceleration decomposes the matrix. Measured with
// `skyhook compare MODEL --solvers bdf/ggl,radau5/ggl,dopri5/projecting,adams/projecting`.
constexpr double stable_step = 3, slow_rate = 300, few_steps = 600;
constexpr int many_constraints = 15;
// After each sample of a controller adams begins with a step of Runge-Kutta, and goes on at order 5. Where one such step passes a
// sample, dopri5 does so with fewer attempts and a smaller error; from two or three on adams takes half of its evaluations. Measured
// on semi_active with sample times of 1 to 250 ms: docs/validation.md.
constexpr double passed_in_one = 1;  // sample time times rate

// Of the controllers, the shortest; infinity: there are none.
double sample_time(const model::Model& model) {
  double shortest = INFINITY;
  for (const model::Controller& c : model.controllers) shortest = std::min(shortest, c.sample_time);
  return shortest;
}

// Of an explicit method that is stable.
double least_steps(double rate, const model::Experiment& experiment) {
  return rate * (experiment.until - experiment.from_time) / stable_step;
}

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

double fastest_rate(const Equations& equations, const formalism::State& s) {
  const formulation::Projected ode(equations, {});
  const auto ws = ode.workspace();
  std::vector<double> y(s.q);
  y.insert(y.end(), s.v.begin(), s.v.end());
  const auto unit = [&](std::size_t i) { return ode.structure().y[i].nominal; };  // pressures beside metres
  const std::size_t n = y.size();
  if (n == 0) return 0;
  std::vector<double> f(n), moved(n), f_moved(n), z(n);
  if (ode.rhs(s.t, y, f, *ws) != Eval::ok) return INFINITY;
  start_direction(z);
  std::vector<double> sizes(n);
  for (std::size_t i = 0; i < n; ++i) sizes[i] = y[i] / unit(i);
  const double increment = 1e-7 * (1 + size_of(sizes) / std::sqrt(static_cast<double>(n)));
  // A pair of complex eigenvalues turns z: its length goes up and down. The mean growth tells the size of the pair.
  constexpr int iterations = 60, settling = 20;
  double sum = 0;
  for (int k = 0; k < iterations; ++k) {
    const double length = size_of(z);
    if (!std::isfinite(length)) return INFINITY;  // nothing an explicit method may rely on
    if (length == 0) return 0;                    // what was disturbed does not come back: no rate at all
    if (k >= settling) sum += std::log(length);
    for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + unit(i) * increment * z[i] / length;
    if (ode.rhs(s.t, moved, f_moved, *ws) != Eval::ok) return INFINITY;
    for (std::size_t i = 0; i < n; ++i) z[i] = (f_moved[i] - f[i]) / (unit(i) * increment);
  }
  return std::exp(sum / (iterations - settling));
}

namespace {

// All of them.
bool has_strategies(const Solver& solver) {
  return solver.integrator == Integrator::bdf || solver.integrator == Integrator::hht ||
         solver.integrator == Integrator::generalised_alpha;
}

}  // namespace

bool is_implicit(const Solver& solver) {
  return solver.integrator == Integrator::bdf || solver.integrator == Integrator::ida ||
         solver.integrator == Integrator::radau5 || has_strategies(solver);
}

bool has_jacobian(const Solver& solver, const std::string& strategy) {
  if (strategy == "auto" || has_strategies(solver)) return true;
  if (!is_implicit(solver)) return false;
  return strategy == "exact" ||
         (solver.integrator == Integrator::ida && (strategy == "dense" || strategy == "grouped"));
}

bool is_too_stiff(double rate, const model::Experiment& experiment) {
  return rate > slow_rate && least_steps(rate, experiment) > few_steps;
}

Warning stiff_model(const Choice& choice, double rate, double t) {
  return {
      "stiff_model",
      {},
      fmt::format("The model is stiff: from t = {:.4g} s on stability, not accuracy, has limited the steps of {}; the "
                  "fastest rate there is {:.2g} 1/s.",
                  t, name_of(choice.solver.integrator), rate),
      "The solvers bdf, ida and radau5 would take larger ones; `auto` goes on with one where it matters."};
}

namespace {

Choice explicit_choice(double rate, const std::string& why, int constraints, const model::Model& model) {
  if (constraints > 0) return {{Integrator::dopri5, Formulation::projecting}, why, true};
  if (const double sampled = sample_time(model); sampled * rate < passed_in_one)
    return {{Integrator::dopri5, Formulation::projecting},
            fmt::format("{}; controllers are sampled every {:.2g} s, which a one-step method passes in one step, while "
                        "adams would start again each time",
                        why, sampled),
            true};
  return {{Integrator::adams, Formulation::projecting}, why + "; and it has no constraints", true};
}

}  // namespace

Choice choose_solver(const Prepared& prepared, const model::Experiment& experiment) {
  if (experiment.solver != "auto") {
    const Solver named = find_solver(experiment.solver, experiment.where);
    if (named.formulation == Formulation::partitioning && prepared.ok() && prepared.degrees_of_freedom() == 0)
      throw ModelError(experiment.where,
                       "the formulation partitioning needs a degree of freedom, but the model has none: it is driven "
                       "or cannot move.",
                       "Choose the solver ida.");
    if (named.integrator == Integrator::hem5 && experiment.metric != "mass")
      throw ModelError(experiment.where,
                       "hem5 projects in the mass metric, but the metric is \"" + experiment.metric + "\".",
                       "Leave `metric` out, or choose another solver.");
    const auto& all = prepared.model->contributions;
    const auto friction = std::ranges::find_if(all, [](const auto& what) { return what.friction != nullptr; });
    if (named.integrator == Integrator::hem5 && friction != all.end())
      throw ModelError(experiment.where,
                       "hem5 cannot take forces that depend on those of constraints, but friction \"" + friction->name +
                           "\" depends on the load of its joint.",
                       "Choose another solver; ida, bdf and radau5 suit friction.");
    const auto reader =
        std::ranges::find_if(all, [](const auto& what) { return what.law && what.law->declared().reads_multipliers; });
    if (named.integrator == Integrator::hem5 && reader != all.end())
      throw ModelError(experiment.where,
                       fmt::format("hem5 cannot take forces that depend on those of constraints, but those of {} "
                                   "\"{}\" depend on its normal force.",
                                   reader->type, reader->name),
                       "Choose another solver; ida, bdf and radau5 suit creep forces.");
    if (has_jacobian(named, experiment.jacobian)) return {named, ""};
    if (!is_implicit(named))
      throw ModelError(line_of(experiment, "jacobian"),
                       fmt::format("the solver {} has no Jacobian, so that the strategy \"{}\" means nothing to it.",
                                   named.name(), experiment.jacobian),
                       "Leave `jacobian` out, or choose bdf, ida or radau5.");
    throw ModelError(
        line_of(experiment, "jacobian"),
        fmt::format("the solver {} does not know the Jacobian strategy \"{}\".", named.name(), experiment.jacobian),
        "Leave `jacobian` out, or choose the solver bdf, which knows all; ida knows exact, dense and grouped.");
  }
  if (experiment.jacobian != "auto")
    return {{Integrator::bdf, Formulation::ggl}, "a Jacobian strategy is chosen, and only implicit methods have one"};
  // Vibrations of lines hardly fade, and bdf is not stable for such at its higher orders (theory 24).
  const bool has_lines =
      std::ranges::any_of(prepared.model->bodies, [](const model::Body& b) { return model::mesh_of(b) != nullptr; });
  const Solver implicit{has_lines ? Integrator::radau5 : Integrator::bdf, Formulation::ggl};
  if (experiment.kappa > 0) return {implicit, "`kappa` is given, and only implicit methods have one"};
  if (!prepared.ok()) return {implicit, "the model is not consistent"};
  if (prepared.degrees_of_freedom() == 0) return {implicit, "the model has no degree of freedom: the constraints lead"};
  const int constraints = prepared.active->ng();
  if (constraints > many_constraints)
    return {implicit,
            fmt::format("the model has {} constraints, so many that explicit methods do not pay", constraints)};
  const double rate = fastest_rate(*prepared.active, prepared.state), span = experiment.until - experiment.from_time;
  const double steps = least_steps(rate, experiment);
  if (!std::isfinite(rate)) return {implicit, "how stiff the model is cannot be found out at the start", true};
  if (is_too_stiff(rate, experiment)) {
    return {
        implicit,
        fmt::format("the model is stiff: its fastest rate at the start is {:.2g} 1/s, for which an explicit "
                    "method would need {:.2g} steps at least{}",
                    rate, steps, has_lines ? "; over vibrations of beams of nodal coordinates radau5 passes best" : ""),
        !has_lines};
  }
  const std::string why = fmt::format(
      "the model is not stiff: its fastest rate at the start is {:.2g} 1/s, with which an "
      "explicit method is stable in steps up to {:.2g} s",
      rate, steps > 1 ? stable_step / rate : span);
  return explicit_choice(rate, why, constraints, *prepared.model);
}

std::optional<Choice> leave_explicit(const Choice& now, const Progress& p, const model::Experiment& experiment) {
  const double steps = p.rate * (experiment.until - p.t) / stable_step;
  if (steps < few_steps) return {};
  return Choice{{Integrator::bdf, Formulation::ggl},
                fmt::format("the model is stiff there: stability, not accuracy, limits the steps of {}; its fastest "
                            "rate is {:.2g} 1/s, for which {:.2g} more steps would be needed at least",
                            name_of(now.solver.integrator), p.rate, steps),
                true};
}

std::optional<Choice> leave_implicit(const Progress& p, const model::Model& model) {
  constexpr double hysteresis = 3;
  if (!(hysteresis * p.rate * p.step < stable_step)) return {};
  const std::string why = fmt::format(
      "the model is not stiff there: its fastest rate is {:.2g} 1/s, with which an explicit method is stable in steps "
      "up to {:.2g} s, and bdf takes {:.2g} s in the mean",
      p.rate, stable_step / p.rate, p.step);
  return explicit_choice(p.rate, why, p.constraints, model);
}

}  // namespace skyhook::simulation
