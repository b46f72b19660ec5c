#include "skyhook/analysis/equilibrium.h"

#include <fmt/format.h>

#include "model_commands.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::app {

int equilibrium(const ModelOptions& options) {
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(options, "equilibrium", experiment));
  const simulation::Prepared p = simulation::prepare(m, experiment);
  const analysis::Equilibrium e = analysis::find_equilibrium(p);
  std::vector<Warning> warnings = simulation::warnings_before(p);
  warnings.insert(warnings.end(), e.warnings.begin(), e.warnings.end());
  print_warnings(warnings);
  if (!e.found) {
    if (options.json)
      fmt::print("{{\"found\": false, \"problem\": {}, \"iterations\": {}, \"residual\": {}, \"warnings\": {}}}\n",
                 json_string(e.problem), e.iterations, json_number(e.residual), to_json(warnings));
    fmt::print(stderr, "{}\n", e.problem);
    return numerical_failure;
  }
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& snapshot = evaluator.now();
  if (evaluator.evaluate_at_rest(e.state.t, e.state.q, e.state.v, e.lambda) != Eval::ok) {
    fmt::print(stderr, "The forces cannot be found: {}.\n", evaluator.blame());
    return numerical_failure;
  }
  const auto outputs = experiment.outputs.empty() ? m->outputs : experiment.outputs;
  simulation::Running running;
  running.start_energy = snapshot.kinetic + snapshot.potential;
  Table table;
  table.add_column("channel");
  table.add_column("value", "", 10);
  table.add_column("unit");
  for (const auto& c : simulation::choose_channels(simulation::all_channels(*p.active), outputs))
    table.add_row({c.name, c.value(snapshot, running), c.unit});
  for (int i = 0; i < p.active->nq(); ++i)
    table.add_row(
        {p.active->position_names()[i] + " (coordinate)", e.state.q[i] + p.active->reference(i), std::string()});
  for (int i = p.active->moving(); i < p.active->nv(); ++i)
    table.add_row({p.active->velocity_names()[i] + " (state)", e.state.v[i],
                   p.active->inner_states()[i - p.active->moving()].unit});
  if (options.json) {
    fmt::print(
        "{{\"found\": true, \"stable\": {}, \"unique\": {}, \"iterations\": {}, \"residual\": {}, \"warnings\": {}, "
        "\"values\": {}}}\n",
        e.stable, e.unique, e.iterations, json_number(e.residual), to_json(warnings), table.to_json());
    return success;
  }
  fmt::print("equilibrium of {} found in {} iterations, residual {:.1e} of the largest force{}{}\n{}",
             printable(m->name), e.iterations, e.residual, e.stable ? "" : "; it is UNSTABLE",
             e.unique ? "" : "; it is not unique: something moves freely", table.to_text());
  return success;
}

}  // namespace skyhook::app
