// A kinematic analysis as a result, in which the travel stands in place of time.
#include <fmt/format.h>

#include "skyhook/analysis/kinematics.h"
#include "skyhook/formalism/frame.h"
#include "skyhook/math/rotation.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/scene.h"

namespace skyhook::analysis {
namespace {

const char* name_of(model::Kinematics::Mode mode) {
  return mode == model::Kinematics::Mode::quasi_static ? "quasi_static" : "kinematic";
}

simulation::RunInfo info_of(const KinematicCurves& curves, const model::Experiment& experiment) {
  const simulation::Prepared& p = curves.path.prepared;
  const model::Model& m = *p.model;
  simulation::RunInfo info = simulation::contents_of(p, {});
  info.channels = curves.channels;
  info.abscissa = {curves.rig.abscissa, curves.rig.unit};
  info.model_name = m.name, info.model_file = m.file, info.experiment = experiment.name;
  info.formulation = name_of(curves.path.mode), info.solver = "kinematics", info.jacobian = "exact";
  info.source = m.source, info.expanded = m.expanded, info.tolerance = experiment.tolerance;
  info.t_start = std::min(curves.rig.from, curves.rig.to), info.t_end = std::max(curves.rig.from, curves.rig.to);
  for (const auto& x : m.parameters) info.parameters.push_back({x.name, fmt::format("{} {}", x.value, x.unit)});
  info.report = simulation::describe(p);
  info.scene = simulation::scene_of(p);
  return info;
}

std::vector<double> poses_of(const simulation::Snapshot& s, const std::vector<formalism::Frame>& frames) {
  std::vector<double> poses;
  for (const formalism::Frame& frame : frames) {
    const Vec3d at = motion_of(s, frame).p;
    const auto r = quaternion_of(axes_of(s, frame));
    poses.insert(poses.end(), {at.x, at.y, at.z, r.w, r.x, r.y, r.z});
  }
  return poses;
}

}  // namespace

void record(const KinematicCurves& curves, const model::Experiment& experiment, simulation::Sink& sink) {
  const simulation::Prepared& p = curves.path.prepared;
  const simulation::Equations& eq = *p.active;
  std::vector<formalism::Frame> frames;
  for (std::size_t b = 0; b < p.model->bodies.size(); ++b)
    frames.push_back(frame_of(eq, static_cast<int>(b), p.model->bodies[b].at, p.model->bodies[b].axes));
  sink.begin(info_of(curves, experiment));
  simulation::Evaluator evaluator(p.active, p.all);
  for (std::size_t i = 0; i < curves.values.size(); ++i) {
    const PathPoint& point = curves.path.points[i];
    std::vector<double> still = point.state.v, y = point.state.q, yp(y.size());
    std::fill_n(still.begin(), eq.moving(), 0.0);
    const bool known = evaluator.evaluate_at_rest(point.state.t, point.state.q, still, point.lambda) == Eval::ok;
    if (!known) evaluator.evaluate_motion(point.state.t, point.state.q, still);
    eq.kinematics(point.state.q, point.state.v, yp);
    y.insert(y.end(), point.state.v.begin(), point.state.v.end());
    yp.resize(y.size(), 0.0);
    const std::vector<double> poses = poses_of(evaluator.now(), frames);
    simulation::Sample sample;
    sample.t = point.s, sample.y = y, sample.yp = yp, sample.poses = poses;
    sample.channels = curves.values[i], sample.channel_rates = curves.rates[i];
    if (known) sample.reactions = evaluator.now().reactions;
    sink.sample(sample);
  }
  simulation::RunSummary summary;
  summary.solver = std::string("kinematics/") + name_of(curves.path.mode);
  summary.status = simulation::RunStatus::finished;
  summary.t_reached = curves.path.points.empty() ? 0.0 : curves.path.points.back().s;
  summary.warnings = curves.warnings;
  summary.cost.steps = static_cast<long>(curves.path.points.size()),
  summary.cost.error_test_failures = curves.path.halvings;
  sink.end(summary);
}

}  // namespace skyhook::analysis
