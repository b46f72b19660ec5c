#include "skyhook/analysis/start.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/analysis/equilibrium.h"

namespace skyhook::analysis {
namespace {

// Rates that are given for a run which starts from rest.
void tell_of_rates(const model::Experiment& experiment, simulation::Prepared& p) {
  using formalism::Conditions;
  const auto given = formalism::initial_values(*p.model, {}, experiment.where).rates;
  const Conditions rates(*p.all, given, Conditions::Of::rates);
  const Vector used = rates.used(p.state.q, p.state.v, formalism::nodes_of(*p.all, p.state));
  Findings refused;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (std::abs(used[k] - given[k].value) <= 1e-9 * (1 + std::abs(given[k].value))) continue;
    const model::Joint& joint = p.model->joints[given[k].joint];
    const std::string what =
        fmt::format("{} is given as {:.6g} {}, but the run starts from the equilibrium, with {:.6g}.",
                    formalism::coordinate_name(joint, given[k].scalar, true), given[k].value,
                    formalism::coordinate_unit(joint, given[k].scalar, true), used[k]);
    const std::string advice = "Remove it, or `from` of the experiment.";
    if (experiment.strict)
      refused.add(given[k].where, what, advice);
    else
      p.warnings.push_back({"initial_value_changed", given[k].where, what, advice});
  }
  refused.throw_if_any();
}

}  // namespace

simulation::Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                             const formalism::State* start) {
  simulation::Prepared p = simulation::prepare(model, experiment, start);
  if (start || experiment.start.empty() || !p.ok()) return p;
  const Equilibrium e = find_equilibrium(p);
  if (e.found) {
    p = simulation::prepare(model, experiment, &e.state);
    for (const Warning& warning : e.warnings) {
      if (warning.name != "beyond_table") p.warnings.push_back(warning);  // the run tells those itself
    }
    tell_of_rates(experiment, p);
    return p;
  }
  p.positions.ok = false;
  p.positions.problem = "Experiment \"" + experiment.name + "\" starts from the equilibrium. " + e.problem;
  return p;
}

}  // namespace skyhook::analysis
