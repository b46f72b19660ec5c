#include "dae_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "skyhook/analysis/start.h"
#include "skyhook/formulation/ggl_explicit.h"
#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/snapshot.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using integrator::StepStatus;

template <class Integrator>
void take_samples(const DaeCase& c, const Integrator& now, std::vector<double>& y, DaeRun& out) {
  const double span = c.until - c.t;
  while (out.samples.size() < sample_count) {
    const double at = c.t + span * static_cast<double>(out.samples.size() + 1) / sample_count;
    if (at > now.t() + 1e-12 * span) return;
    now.interpolate(std::min(at, now.t()), y, {});
    out.samples.emplace_back(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(c.positions));
  }
}

template <class Integrator>
DaeRun run(const DaeCase& c, const integrator::Options& options, const RunWish& wish) {
  DaeRun out;
  std::vector<double> y(c.y.size());
  const double begin = now();
  Integrator integrator(*c.problem, options, c.t, c.y, c.yp);
  for (integrator::StepResult r; r.status == StepStatus::ok;) {
    r = integrator.step(c.until);
    if (r.status == StepStatus::failed) out.failure = r.reason;
    if (r.status != StepStatus::failed && wish.samples) take_samples(c, integrator, y, out);
    if (wish.after_step) wish.after_step(integrator.t(), integrator.cost());
  }
  out.seconds = now() - begin;
  out.cost = integrator.cost();
  return out;
}

// As simulation/motion.cpp does it: (q, v, lambda, eta) with the accelerations known.
void set_start(DaeCase& out, const simulation::Prepared& p) {
  const auto& eq = *p.active;
  const formalism::State& s = p.state;
  simulation::Evaluator snapshot_at(p.active, p.all);
  const simulation::Snapshot& snapshot = snapshot_at.now();
  if (snapshot_at.evaluate(s.t, s.q, s.v) != Eval::ok) throw std::runtime_error(out.name + ": no accelerations");
  out.y.assign(out.problem->structure().y.size(), 0.0), out.yp = out.y;
  std::ranges::copy(s.q, out.y.begin());
  std::ranges::copy(s.v, out.y.begin() + eq.nq());
  std::ranges::copy(snapshot.lambda, out.y.begin() + eq.nq() + eq.nv());
  eq.kinematics(s.q, s.v, Span(out.yp).first(static_cast<std::size_t>(eq.nq())));
  std::copy_n(snapshot.a.begin(), eq.nv(), out.yp.begin() + eq.nq());
  out.t = s.t, out.positions = static_cast<std::size_t>(eq.nq());
}

}  // namespace

DaeCase make_case(const CaseInput& input) {
  std::vector<io::Setting> settings;
  for (const auto& [name, value] : input.set) settings.push_back({name, value});
  auto model =
      std::make_shared<model::Model>(io::read_model(SKYHOOK_MODELS "/" + input.file, settings, input.experiment));
  model::Experiment experiment;
  for (const auto& e : model->experiments) {
    if (e.name == input.experiment) experiment = e;
  }
  const simulation::Prepared p = analysis::prepare(model, experiment);
  if (!p.ok()) throw std::runtime_error(input.file + ": " + p.problem());
  DaeCase out{input.name};
  if (input.explicit_formalism)
    out.problem = std::make_shared<formulation::GglExplicit>(p.active);
  else
    out.problem = std::make_shared<formulation::Ggl>(p.active);
  set_start(out, p);
  out.until = input.until > 0 ? input.until : experiment.until;
  out.tolerance = experiment.tolerance;
  if (experiment.absolute_tolerance > 0) out.absolute = experiment.absolute_tolerance / experiment.tolerance;
  out.largest_step = experiment.largest_step > 0 ? experiment.largest_step : (out.until - out.t) / 50;  // as in a run
  return out;
}

integrator::Options DaeCase::options(double relative_tolerance, const JacobianStrategy& jacobian) const {
  integrator::Options o;
  o.relative_tolerance = relative_tolerance, o.absolute_tolerance = absolute * relative_tolerance;
  o.largest_step = largest_step, o.jacobian = jacobian;
  return o;
}

DaeRun integrate(const DaeCase& what, Method method, const integrator::Options& options, const RunWish& wish) {
  if (method == Method::bdf) return run<integrator::Bdf>(what, options, wish);
  if (method == Method::ida) return run<integrator::Ida>(what, options, wish);
  return run<integrator::Radau5>(what, options, wish);
}

PositionError error_of(const DaeRun& run, const DaeRun& reference) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  if (run.samples.size() != sample_count || reference.samples.size() != sample_count) return {missing, missing};
  std::vector<double> size(reference.samples[0].size(), 1.0);
  for (const auto& q : reference.samples) {
    for (std::size_t i = 0; i < q.size(); ++i) size[i] = std::max(size[i], std::abs(q[i]));
  }
  PositionError out{0, 0};
  for (std::size_t k = 0; k < sample_count; ++k) {
    out.at_end = 0;
    for (std::size_t i = 0; i < size.size(); ++i)
      out.at_end = std::max(out.at_end, std::abs(run.samples[k][i] - reference.samples[k][i]) / size[i]);
    out.largest = std::max(out.largest, out.at_end);
  }
  return out;
}

void measure(std::vector<TimedRun>& runs, double patience) {
  constexpr int least_rounds = 1, most_rounds = 60;
  for (int round = 0; round < most_rounds; ++round) {
    for (TimedRun& r : runs) {
      if (round >= least_rounds && r.spent > patience) continue;
      const double seconds = integrate(*r.what, r.method, r.options).seconds;
      r.least = std::min(r.least, seconds), r.spent += seconds;
    }
  }
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += std::log(x);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace skyhook::bench
