#include "skyhook/analysis/first_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/simulation/sampler.h"

namespace skyhook::analysis {
namespace {

bool speaks_at(const model::Controller& c, double t) {
  if (!c.starts_on || c.delay > 0) return false;
  const double k = (t - c.offset) / c.sample_time;
  return t >= c.offset && std::abs(k - std::round(k)) < 1e-9 * std::max(1.0, std::abs(k));
}

}  // namespace

FirstOutputs::FirstOutputs(const simulation::Prepared& p) {
  for (const model::Controller& c : p.model->controllers) {
    if (speaks_at(c, p.state.t)) {
      any_ = true;
      continue;
    }
    std::string signals;
    for (int k = c.first_signal; k < c.first_signal + c.outputs; ++k) {
      const model::Signal& signal = p.model->signals[static_cast<std::size_t>(k)];
      signals += fmt::format("{}{} = {:.6g}", signals.empty() ? "" : ", ", signal.name, signal.start);
    }
    warnings_.push_back({"not_in_equilibrium", c.where,
                         fmt::format("controller \"{}\" says nothing at the start time, t = {:.6g} s: in the "
                                     "equilibrium its output stays as at the start, {}.",
                                     c.name, p.state.t, signals)});
  }
}

std::vector<double> FirstOutputs::at(const simulation::Prepared& p, const formalism::State& state,
                                     const std::vector<double>& lambda, const simulation::Equations& eq) {
  // Channels are read with the prepared rows; forces of rows that switch come in as accelerations would, not at all.
  const auto held = std::make_shared<model::Held>(*eq.held());
  const auto active = std::make_shared<const simulation::Equations>(p.model, p.topology, p.active->active(), held);
  simulation::Evaluator evaluator(active, p.active == p.all ? active : p.all->holding(held));
  const std::vector<double> multipliers(lambda.begin(), lambda.begin() + active->ng());
  if (evaluator.evaluate_at_rest(state.t, state.q, state.v, multipliers) != Eval::ok)
    return problem_ = "What controllers read cannot be found: " + evaluator.blame() + ".", held->signals;
  simulation::Sampler sampler(*p.model, simulation::all_channels(*active), state.t);
  simulation::Running running;
  running.start_energy = evaluator.now().kinetic + evaluator.now().potential;
  sampler.act(state.t, evaluator.now(), running, *held);
  problem_ = sampler.problem();
  return held->signals;
}

}  // namespace skyhook::analysis
