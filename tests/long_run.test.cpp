// GGL keeps positions and velocities on their constraints for as long as one likes.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/simulation/motion.h"
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

constexpr double tolerance = 1e-5, until = 1000;

// Slow (gravity off, one turn of the crank in about 3 s), so that 1000 s are some 300 turns.
testing::Loaded slow_four_bar() {
  auto loaded = testing::load("mechanisms/four_bar", {.tolerance = tolerance,
                                                      .until = until,
                                                      .output_step = 5,
                                                      .outputs = {"constraints.position", "constraints.velocity"}});
  loaded.model->gravity = {};
  loaded.experiment.solver = "ida";
  for (auto& joint : loaded.model->joints) {
    if (joint.name == "A") joint.velocity = {2.0};
  }
  return loaded;
}

double most_of(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace

// Looked at is the end of each step as the integrator leaves it: samples are moved onto the constraints, where no drift would show.
TEST_CASE("A four-bar of 1000 s: neither |g| nor |G v| drifts in the steps of ida") {
  const auto loaded = slow_four_bar();
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& now = evaluator.now();
  REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
  const auto motion = simulation::start_motion(simulation::find_solver("ida", {}), loaded.experiment, p.active,
                                               {p.state.t, p.state.q, p.state.v, now.a, now.lambda});
  std::vector<double> q = p.state.q, v = p.state.v;
  struct Quarter {
    double g = 0, Gv = 0, g_squares = 0, Gv_squares = 0, steps = 0;  // the largest, and sums
    double mean_g() const { return std::sqrt(g_squares / steps); }
    double mean_Gv() const { return std::sqrt(Gv_squares / steps); }
  } quarters[4];
  while (motion->t() < until) {
    REQUIRE(motion->step(until).status != integrator::StepStatus::failed);
    REQUIRE(motion->interpolate(motion->t(), q, v));
    REQUIRE(evaluator.evaluate(motion->t(), q, v) == Eval::ok);
    Quarter& quarter = quarters[std::min(3, static_cast<int>(4 * motion->t() / until))];
    const double g = most_of(now.positions), Gv = most_of(now.velocities);
    quarter.g = std::max(quarter.g, g), quarter.g_squares += g * g;
    quarter.Gv = std::max(quarter.Gv, Gv), quarter.Gv_squares += Gv * Gv, ++quarter.steps;
  }
  CHECK(motion->cost().steps > 10000);
  for (const Quarter& now_there : quarters) {
    // Both conditions are equations of each step, solved to a third of the tolerance (IDA's Newton test) in the mean of all unknowns. Rates are
    // of order 5 rad/s, some 3 m/s.
    CHECK(now_there.g > 0);
    CHECK(now_there.g < 10 * tolerance);
    CHECK(now_there.Gv < 10 * tolerance * 10);
    // What drifts is in the mean six times as large in the last quarter as in the first.
    CHECK(now_there.mean_g() < 1.5 * quarters[0].mean_g());
    CHECK(now_there.mean_Gv() < 1.5 * quarters[0].mean_Gv());
  }
}

TEST_CASE("A four-bar of 1000 s: what is recorded is on the constraints, and nothing happens but integration") {
  const auto r = testing::run(slow_four_bar());
  const std::size_t n = r.sink.time.size();
  CHECK(n == 201);
  // The last sample is the end of a step; those between steps are moved onto the constraints.
  for (std::size_t i = 1; i < n; ++i) {
    const double moved = i + 1 < n ? 1e-3 : 1;
    CHECK(r.at(i, "constraints.position") < moved * 10 * tolerance);
    CHECK(r.at(i, "constraints.velocity") < moved * 10 * tolerance * 10);
  }
  // The choice of rows never had to change, and rank detection is not run again and again.
  CHECK(r.sink.events.empty());
}
