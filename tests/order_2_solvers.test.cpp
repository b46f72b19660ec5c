// hht, generalised_alpha and two_loop on random models, with all that the language has. Reference: radau5/ggl at a tolerance a thousand times tighter,
// confirmed by dopri5 (io/random/solver_trial). They are not among usable_solvers(), for tests at tight tolerances would take steps without end.
#include <algorithm>
#include <cmath>
#include <map>

#include "run_model.testing.h"
#include "skyhook/io/random/random_mechanism.testing.h"
#include "skyhook/io/random/solver_trial.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

const std::vector<std::string> of_order_2 = simulation::usable_solvers_of_order_2();

}  // namespace

// A pair is wrong where it errs by more than 1000 tolerances times the growth of the model and finishes without a word.
TEST_CASE("Order 2: on 30 random models no solver is wrong without a word") {
  int skipped = 0;
  std::map<std::string, int> finished;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const auto trial =
        io::testing::try_solvers(text_of(io::testing::random_mechanism(seed)), seed % 2 == 0 ? 1e-4 : 1e-5, of_order_2);
    if (!trial.skipped.empty()) {
      ++skipped;
      continue;
    }
    for (const auto& pair : trial.pairs) {
      finished[pair.solver] += pair.status == "finished";
      CHECK_MESSAGE(!pair.is_wrong,
                    pair.solver << " errs by " << pair.error << ", " << pair.ratio << " tolerances times the growth");
    }
  }
  CHECK(skipped <= 6);
  for (const std::string& solver : of_order_2)
    CHECK_MESSAGE(finished[solver] >= 20, solver << ": " << finished[solver]);
}

TEST_CASE("Order 2: a tolerance means what it means to others, on a suspension with closed loops") {
  const auto end_of = [](const std::string& solver, double tolerance) {
    auto loaded =
        testing::load("suspension/five_link", {.experiment = "low_bump", .tolerance = tolerance, .outputs = {"*"}});
    loaded.experiment.solver = solver;
    return testing::run(loaded).sink.states.back();
  };
  const auto exact = end_of("radau5/ggl", 1e-9);
  for (const std::string& solver : of_order_2) {
    for (const double tolerance : {1e-3, 1e-5}) {
      const auto y = end_of(solver, tolerance);
      double error = 0;
      for (std::size_t i = 0; i < y.size(); ++i) error = std::max(error, std::abs(y[i] - exact[i]));
      CHECK_MESSAGE(error < 20 * tolerance, solver << " at " << tolerance << ": " << error);
    }
  }
}

// A four-bar linkage that spins up, cut at the pin between coupler and rocker: the two sides of the pin, each by the motion of its own body, have one place, one velocity and
// one acceleration. two_loop solves the constraints in every evaluation; in the others Newton's method does, in positions and velocities at the ends of steps. Accelerations at samples
// follow from the constraints on their level.
TEST_CASE("Order 2: constraints hold on all three levels") {
  for (const std::string solver : {"two_loop", "hht", "generalised_alpha"}) {
    CAPTURE(solver);
    testing::Loaded loaded = testing::load_text(
        "skyhook: 1\nbodies:\n  crank: {mass: 1 kg, at: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  coupler: {mass: 2 kg, at: [0.5, 0, 0.2], inertia: [0.1, 0.1, 0.1], markers: {pin: {at: [0.8, 0, 0.5]}}}\n"
        "  rocker: {mass: 1.5 kg, at: [0.9, 0, 0.25], inertia: [0.05, 0.05, 0.05], markers: {pin: {at: [0.8, 0, "
        "0.5]}}}\n"
        "joints:\n  a: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y, rate: 10 rad/s}\n  b: {type: "
        "revolute, from: crank, to: coupler, at: [0.2, 0, 0], axis: y}\n"
        "  c: {type: revolute, from: coupler, to: rocker, at: [0.8, 0, 0.5], axis: y, cut: true}\n  d: {type: "
        "revolute, from: ground, to: rocker, at: [1, 0, 0], axis: y}\n"
        "forces: {motor: {type: spring_damper, joint: a, angular_damping: 0.5 N.m.s}}\n"
        "outputs: [coupler.pin.x, coupler.pin.z, coupler.pin.vx, coupler.pin.vz, coupler.pin.ax, coupler.pin.az, "
        "rocker.pin.x, rocker.pin.z, rocker.pin.vx, rocker.pin.vz, rocker.pin.ax, rocker.pin.az]\n"
        "experiments: {e: {until: 1 s, output_step: 10 ms, tolerance: 1e-4}}\n");
    loaded.experiment.solver = solver;
    const auto run = testing::run(loaded);
    REQUIRE(run.sink.summary.status == simulation::RunStatus::finished);
    CHECK(run.sink.time.size() == 101);
    double fastest = 0;
    for (std::size_t k = 0; k < run.sink.time.size(); ++k) {
      const auto apart = [&](const std::string& what) {
        return std::abs(run.at(k, "coupler.pin." + what) - run.at(k, "rocker.pin." + what));
      };
      for (const std::string axis : {"x", "z"}) {
        CHECK(apart(axis) < 1e-11);
        CHECK(apart("v" + axis) < 1e-10);
        CHECK(apart("a" + axis) < 1e-8);
        fastest = std::max(fastest, std::abs(run.at(k, "coupler.pin.a" + axis)));
      }
    }
    CHECK(fastest > 5);
  }
}
