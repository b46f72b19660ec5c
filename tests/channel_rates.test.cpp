// Channels that tell their own rates, and the forces they say they read.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/analysis/start.h"
#include "skyhook/simulation/channels.h"

using namespace skyhook;
using simulation::Channel;
using simulation::Evaluator;
using simulation::Running;

namespace {

// The state a short time later along the motion.
formalism::State later(const simulation::Equations& eq, formalism::State s, const std::vector<double>& a, double h) {
  std::vector<double> step(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) step[i] = h * s.v[i] + 0.5 * h * h * a[i], s.v[i] += h * a[i];
  eq.plus(s.q, step);
  s.t += h;
  return s;
}

simulation::Prepared prepared(const std::string& name, const std::string& experiment) {
  const testing::Loaded loaded = testing::load(name, {.experiment = experiment});
  simulation::Prepared p = analysis::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  for (double& v : p.state.v) v += 0.03 * std::sin(100 * v + 1);  // off the constraints: a rate holds there too
  return p;
}

struct Case {
  std::string model, experiment;
};
const Case cases[] = {{"road/iltis/iltis", "ramp_30"}, {"car/four_post", "shake"}, {"suspension/five_link", "bump"}};

}  // namespace

// Reference: central differences of the values along q(t), v(t), whose error is h^2 and rounding over h, of curvatures over its square. Light
// rods of the five-link turn with thousands of rad/s^2.
TEST_CASE("Channel rates and curvatures are the derivatives of their values") {
  constexpr double h = 3e-6;
  for (const Case& each : cases) {
    const simulation::Prepared p = prepared(each.model, each.experiment);
    Evaluator evaluator(p.active, p.all);
    REQUIRE(evaluator.evaluate(p.state.t + 0.1, p.state.q, p.state.v) == Eval::ok);
    formalism::State at = p.state;
    at.t += 0.1;
    const simulation::Snapshot now = evaluator.now();
    const auto seen = [&](double by) {
      const formalism::State s = later(*p.active, at, now.a, by);
      REQUIRE(evaluator.evaluate(s.t, s.q, s.v) == Eval::ok);
      return evaluator.now();
    };
    const simulation::Snapshot ahead = seen(h), behind = seen(-h);
    const Running running;
    int rates = 0, curvatures = 0;
    for (const Channel& c : simulation::all_channels(*p.active)) {
      if (!c.rate) continue;
      const double value = c.value(now, running), forward = c.value(ahead, running), back = c.value(behind, running);
      const double rate = c.rate(now, running), by_differences = (forward - back) / (2 * h);
      CHECK_MESSAGE(std::abs(rate - by_differences) < 1e-6 * (1 + std::abs(rate) + std::abs(value)), each.model, " ",
                    c.name, ": ", rate, " ", by_differences);
      ++rates;
      if (!c.curvature) continue;
      const double curvature = c.curvature(now, running), bend = (forward - 2 * value + back) / (h * h);
      CHECK_MESSAGE(std::abs(curvature - bend) < 1e-3 * (1 + std::abs(curvature)) + 2e-4 * std::abs(value), each.model,
                    " ", c.name, ": ", curvature, " ", bend);
      ++curvatures;
    }
    CHECK(rates > 100);
    CHECK(curvatures > 20);
  }
}

// What a channel does not say it reads is of another state.
TEST_CASE("Channels read the forces of those contributions alone that they name") {
  for (const Case& each : cases) {
    const simulation::Prepared p = prepared(each.model, each.experiment);
    Evaluator all(p.active, p.all), some(p.active, p.all);
    REQUIRE(all.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
    const formalism::State there = later(*p.active, p.state, all.now().a, 0.01);
    all.evaluate_motion(there.t, there.q, there.v);
    const Running running;
    int named = 0;
    std::vector<char> marked(p.model->contributions.size() + 1);
    for (const Channel& c : simulation::all_channels(*p.active)) {
      if (!c.reads_forces || c.of_reactions || c.of_accelerations) continue;
      marked.assign(marked.size(), 0);
      for (const std::size_t force : *c.reads_forces) marked[force] = 1, ++named;
      some.evaluate_motion(p.state.t, p.state.q, p.state.v);
      some.evaluate_motion(there.t, there.q, there.v, marked);
      CHECK_MESSAGE(c.value(some.now(), running) == c.value(all.now(), running), each.model, " ", c.name);
    }
    CHECK(named > 10);
  }
}
