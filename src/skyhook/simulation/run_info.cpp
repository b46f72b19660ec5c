#include "skyhook/simulation/run_info.h"

#include <fmt/format.h>

#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/drive_state.h"
#include "skyhook/simulation/hybrid.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/scene.h"

namespace skyhook::simulation {

RunInfo contents_of(const Prepared& prepared, const std::vector<Channel>& channels) {
  const auto& m = *prepared.model;
  RunInfo i;
  for (const auto& c : channels) i.channels.push_back({c.name, c.unit, c.is_error});
  for (const auto& n : prepared.all->position_names()) i.states.push_back({n, ""});
  for (const auto& n : prepared.all->velocity_names()) i.states.push_back({n, ""});
  for (const auto& b : m.bodies) i.bodies.push_back({b.name, b.mass});
  for (const auto& j : m.joints) i.joints.push_back(j.name);
  for (const auto* f : model::forces_of(m)) i.forces.push_back(f->name);
  for (const auto& r : prepared.all->rows()) i.constraints.push_back(r.name());
  return i;
}

std::size_t numbers_a_sample(const RunInfo& i) {
  return 2 + 2 * i.states.size() + 7 * i.bodies.size() + 2 * i.channels.size() + 6 * i.joints.size() +
         6 * i.forces.size() + 2 * i.constraints.size() + i.run_state.size();
}

void save_run(double t, double begun, const Recorder& recorder, const model::Model& model, const Hybrid& hybrid,
              RunState& to) {
  Saving saving(to);
  saving.put("t", t), saving.put("begun", begun);
  recorder.save(saving);
  save_drives(model, t, saving);
  hybrid.save(to, saving);
}

RunInfo run_info(const Prepared& prepared, const model::Experiment& experiment, const Choice& choice,
                 const std::vector<Channel>& channels) {
  const auto& m = *prepared.model;
  RunInfo i = contents_of(prepared, channels);
  i.model_name = m.name, i.model_file = m.file, i.experiment = experiment.name,
  i.formulation = name_of(choice.solver.formulation), i.solver = name_of(choice.solver.integrator);
  i.jacobian = experiment.jacobian, i.source = m.source, i.expanded = m.expanded, i.tolerance = experiment.tolerance;
  i.t_start = experiment.from_time, i.t_end = experiment.until;
  for (const auto& p : m.parameters) i.parameters.push_back({p.name, fmt::format("{} {}", p.value, p.unit)});
  i.report = describe(prepared);
  if (!choice.why.empty()) i.report.push_back("solver: " + choice.solver.name() + ", because " + choice.why);
  i.scene = scene_of(prepared, experiment.until - experiment.from_time);
  return i;
}

}  // namespace skyhook::simulation
