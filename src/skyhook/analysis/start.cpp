#include "skyhook/analysis/start.h"

#include "skyhook/analysis/equilibrium.h"
#include "skyhook/simulation/start_warnings.h"

namespace skyhook::analysis {
namespace {

// Positions and rates that are given for a run which starts from the equilibrium. Positions are where the search for it begins.
std::vector<formalism::Changed> not_used(const simulation::Prepared& p, const model::Experiment& experiment) {
  const auto given = formalism::initial_values(*p.model, {}, experiment.where);
  formalism::Consistency out;
  formalism::report_changes(*p.all, given.positions, p.state, false,
                            "but the run starts from the equilibrium, the search for which begins there", out);
  formalism::report_changes(*p.all, given.rates, p.state, true, "but the run starts from the equilibrium", out);
  return out.changed;
}

}  // namespace

simulation::Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                             const formalism::State* start) {
  simulation::Prepared p = simulation::prepare(model, experiment, start);
  if (start || experiment.start.empty() || !p.ok()) return p;
  const Equilibrium e = find_equilibrium(p, {.motion = given_motion(*model, experiment)});
  if (e.found) {
    p = simulation::prepare(model, experiment, &e.state);
    for (const Warning& warning : e.warnings) {
      if (warning.name != "beyond_table") p.warnings.push_back(warning);  // the run tells those itself
    }
    simulation::tell_changes(not_used(p, experiment), experiment, p);
    return p;
  }
  p.positions.ok = false;
  p.positions.problem = "Experiment \"" + experiment.name + "\" starts from the equilibrium. " + e.problem;
  return p;
}

}  // namespace skyhook::analysis
