// Runs with a rigid end stop in a closed loop, for every solver: a four-bar linkage whose rocker falls against a stop, bounces
// and rests. Without friction and drive its energy can only fall, and only in impacts.
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using namespace skyhook::testing;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

Loaded stopped_linkage(const std::string& restitution, double until) {
  std::ifstream in(model_path("mechanisms/four_bar"));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text = replaced(text, "joints:\n",
                  "markers:\n  stop: {body: ground, at: [=xC - 0.25*rocker_length/2, =yC, 0], orientation: {cardan: "
                  "[0, =pi/2, 0]}}\n"
                  "forces:\n  end: {type: rigid_contact, from: stop, to: rocker, to_at: [=xC, =yC, 0], restitution: " +
                      restitution + "}\njoints:\n");
  text = replaced(
      text, "outputs:\n",
      "outputs:\n  gap: end.gap\n  force: end.force\n  kinetic: energy.kinetic\n  potential: energy.potential\n");
  text = replaced(text, "initial: {A.rate: 8 rad/s}", "initial: {A.rate: 0 rad/s}");
  return load_text(text, {.tolerance = 1e-8, .until = until});
}

bool is_study(const std::string& solver) {
  return simulation::graded(simulation::find_solver(solver, {})).grade == simulation::Grade::study_only;
}

int count(const Run& r, const std::string& name) {
  return static_cast<int>(std::ranges::count(r.sink.events, name, &simulation::EventRecord::name));
}

}  // namespace

TEST_CASE("In a closed loop impacts take energy and never give any, and what rests is pressed") {
  double reference = 0;
  for (const std::string& solver : simulation::usable_solvers()) {
    if (is_study(solver)) continue;
    CAPTURE(solver);
    Loaded loaded = stopped_linkage("0.5", 1);
    loaded.experiment.solver = solver;
    const Run r = run(loaded);
    REQUIRE(count(r, "impact") >= 6);
    CHECK(count(r, "closes") >= 1);
    if (reference == 0) reference = r.sink.events[0].t;
    CHECK(std::abs(r.sink.events[0].t - reference) < 1e-6);
    CHECK(r.sink.summary.position_residual < 1e-5);
    double before = r.at(0, "kinetic") + r.at(0, "potential");
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      const double energy = r.at(i, "kinetic") + r.at(i, "potential");
      CHECK(energy < before + 1e-5);
      before = energy;
      CHECK(r.at(i, "gap") > -1e-7);
      CHECK(r.at(i, "force") >= 0);
    }
    CHECK(r.last("force") > 1);
    CHECK(r.last("kinetic") < 1e-9);
  }
}

TEST_CASE("In a closed loop an impact without loss keeps the energy") {
  const Run r = run(stopped_linkage("1", 2));
  CHECK(count(r, "impact") >= 2);
  for (std::size_t i = 0; i < r.sink.time.size(); ++i)
    CHECK(r.at(i, "kinetic") + r.at(i, "potential") ==
          doctest::Approx(r.at(0, "kinetic") + r.at(0, "potential")).epsilon(1e-6));
}

TEST_CASE("A block on a belt tears loose and sticks at the same times with every formulation") {
  // Slips at hold/k/v, swings for 2/w (pi - atan(A w/v)) with w = 20, A = 12.5 mm, v = 0.1 m/s (models/mechanisms/belt.yaml).
  const double slips = 30.0 / 800 / 0.1, sticks = slips + 2.0 / 20 * (std::numbers::pi - std::atan(2.5));
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    Loaded loaded = load("mechanisms/belt", {.tolerance = 1e-9, .until = 0.65});
    loaded.experiment.solver = solver;
    const Run r = run(loaded);
    REQUIRE(r.sink.events.size() == 2);
    CHECK(r.sink.events[0].name == "slips");
    CHECK(r.sink.events[1].name == "sticks");
    CHECK(std::abs(r.sink.events[0].t - slips) < 1e-7);
    CHECK(std::abs(r.sink.events[1].t - sticks) < 1e-6);
  }
}
