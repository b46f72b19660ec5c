#include "skyhook/simulation/run_info.h"

#include <fmt/format.h>

#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/scene.h"

namespace skyhook::simulation {

RunInfo run_info(const Prepared& prepared, const model::Experiment& experiment, const Choice& choice,
                 const std::vector<Channel>& channels) {
  const auto& m = *prepared.model;
  RunInfo i;
  i.model_name = m.name, i.model_file = m.file, i.experiment = experiment.name,
  i.formulation = choice.solver.formulation, i.solver = choice.solver.integrator;
  i.jacobian = experiment.jacobian, i.source = m.source, i.expanded = m.expanded, i.tolerance = experiment.tolerance;
  i.t_start = experiment.from_time, i.t_end = experiment.until;
  for (const auto& p : m.parameters) i.parameters.push_back({p.name, fmt::format("{} {}", p.value, p.unit)});
  for (const auto& c : channels) i.channels.push_back({c.name, c.unit});
  for (const auto& n : prepared.all->tree().q_names) i.states.push_back({n, ""});
  for (const auto& n : prepared.all->tree().v_names) i.states.push_back({n, ""});
  for (const auto& b : m.bodies) i.bodies.push_back({b.name, b.mass});
  for (const auto& j : m.joints) i.joints.push_back(j.name);
  for (const auto& f : m.forces) i.forces.push_back(f.name);
  for (const auto& r : prepared.all->rows()) i.constraints.push_back(r.name());
  i.report = describe(prepared);
  if (!choice.why.empty()) i.report.push_back("solver: " + choice.solver.name() + ", because " + choice.why);
  i.scene = scene_of(prepared);
  return i;
}

}  // namespace skyhook::simulation
