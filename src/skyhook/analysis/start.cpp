#include "skyhook/analysis/start.h"

#include "skyhook/analysis/equilibrium.h"

namespace skyhook::analysis {

simulation::Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                             const formalism::State* start) {
  simulation::Prepared p = simulation::prepare(model, experiment, start);
  if (start || experiment.start.empty() || !p.ok()) return p;
  const Equilibrium e = find_equilibrium(p);
  if (e.found) {
    p = simulation::prepare(model, experiment, &e.state);
    p.warnings.insert(p.warnings.end(), e.warnings.begin(), e.warnings.end());
    return p;
  }
  p.positions.ok = false;
  p.positions.problem = "Experiment \"" + experiment.name + "\" starts from the equilibrium. " + e.problem;
  return p;
}

}  // namespace skyhook::analysis
