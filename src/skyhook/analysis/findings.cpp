#include "skyhook/analysis/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/analysis/unknown.h"
#include "skyhook/formalism/force_wrenches.h"
#include "skyhook/formalism/frame.h"
#include "skyhook/math/rotation.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/scene.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;
using simulation::Snapshot;

std::vector<double> poses_of(const Snapshot& s, const Equations& eq) {
  std::vector<double> poses;
  const auto& bodies = eq.model().bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const formalism::Frame frame = frame_of(eq, static_cast<int>(b), bodies[b].at, bodies[b].axes);
    const Vec3d at = motion_of(s, frame).p;
    const auto r = quaternion_of(axes_of(s, frame));
    poses.insert(poses.end(), {at.x, at.y, at.z, r.w, r.x, r.y, r.z});
  }
  return poses;
}

// As the recorder of a run has them: by model::forces_of(), NaN of what no single wrench tells.
std::vector<double> forces_of(const Snapshot& s, const Equations& eq) {
  const auto list = model::forces_of(eq.model());
  std::vector<double> forces(6 * list.size(), unknown);
  formalism::for_each_wrench(s, [&](const model::Contribution& force, const Vec3d& f, const Vec3d& n) {
    const auto at = std::ranges::find(list, &force);
    if (at == list.end()) return;
    const double wrench[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
    std::copy_n(wrench, 6, forces.begin() + 6 * (at - list.begin()));
  });
  return forces;
}

Stand stand_of(const Snapshot& s, const Equations& eq, const formalism::State& state, bool with_forces) {
  Stand out;
  out.y = state.q, out.yp.resize(state.q.size());
  eq.kinematics(state.q, state.v, out.yp);
  out.y.insert(out.y.end(), state.v.begin(), state.v.end());
  out.yp.resize(out.y.size(), 0.0);
  out.poses = poses_of(s, eq);
  if (with_forces) out.reactions = s.reactions, out.forces = forces_of(s, eq);
  return out;
}

void describe(const Findings& f, simulation::RunInfo& info) {
  info.analysis = f.analysis, info.found = f.json;
  info.channels = f.channels, info.abscissa = f.abscissa;
  info.formulation = f.method, info.solver = f.analysis, info.jacobian = "exact", info.run_state.clear();
  const auto [first, last] = std::ranges::minmax_element(f.points, {}, &Findings::Point::s);
  info.t_start = f.points.empty() ? 0.0 : first->s, info.t_end = f.points.empty() ? 0.0 : last->s;
}

}  // namespace

Stand stand_at_rest(std::shared_ptr<const Equations> active, std::shared_ptr<const Equations> all,
                    const formalism::State& state, const std::vector<double>& lambda) {
  const Equations& eq = *active;
  std::vector<double> still = state.v;
  std::fill_n(still.begin(), eq.moving(), 0.0);
  simulation::Evaluator evaluator(active, std::move(all));
  const bool known = evaluator.evaluate_at_rest(state.t, state.q, still, lambda) == Eval::ok;
  if (!known) evaluator.evaluate_motion(state.t, state.q, still);
  return stand_of(evaluator.now(), eq, state, known);
}

Stand stand_moving(std::shared_ptr<const Equations> active, std::shared_ptr<const Equations> all,
                   const formalism::State& state) {
  const Equations& eq = *active;
  simulation::Evaluator evaluator(active, std::move(all));
  const bool known = evaluator.evaluate(state.t, state.q, state.v) == Eval::ok;
  if (!known) evaluator.evaluate_motion(state.t, state.q, state.v);
  return stand_of(evaluator.now(), eq, state, known);
}

simulation::RunInfo info_of(const simulation::Prepared& p, const model::Experiment& experiment) {
  const model::Model& m = *p.model;
  simulation::RunInfo info = simulation::contents_of(p, {});
  info.model_name = m.name, info.model_file = m.file, info.experiment = experiment.name;
  info.source = m.source, info.expanded = m.expanded, info.tolerance = experiment.tolerance;
  for (const auto& x : m.parameters) info.parameters.push_back({x.name, fmt::format("{} {}", x.value, x.unit)});
  info.report = simulation::describe(p);
  info.scene = simulation::scene_of(p);
  return info;
}

void record(const Findings& f, simulation::RunInfo info, simulation::Sink& sink) {
  describe(f, info);
  sink.begin(info);
  const Stand none;
  for (const Findings::Point& point : f.points) {
    const Stand& stand = point.stand ? *point.stand : none;
    simulation::Sample sample;
    sample.t = point.s, sample.y = stand.y, sample.yp = stand.yp, sample.poses = stand.poses;
    sample.reactions = stand.reactions, sample.forces = stand.forces;
    sample.channels = point.values, sample.channel_rates = point.rates;
    sink.sample(sample);
  }
  for (const simulation::EventRecord& event : f.events) sink.event(event);
  for (const Warning& w : f.warnings)
    sink.event({f.points.empty() ? 0.0 : f.points.front().s,
                w.name,
                to_string(w, Named::no),
                {},
                simulation::EventRecord::warning});
  simulation::RunSummary summary;
  summary.solver = f.analysis + (f.method.empty() ? "" : "/" + f.method);
  summary.status = f.interrupted ? simulation::RunStatus::interrupted : simulation::RunStatus::finished;
  summary.t_reached = f.points.empty() ? 0.0 : f.points.back().s;
  summary.warnings = f.warnings, summary.events = static_cast<long>(f.events.size());
  summary.cost.steps = static_cast<long>(f.points.size()), summary.cost.error_test_failures = f.failures;
  sink.end(summary);
}

}  // namespace skyhook::analysis
