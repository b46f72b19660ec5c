// Runs with events, against exact solutions.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};
constexpr double g = 9.81;

// Times of the events of this name.
std::vector<double> times_of(const Run& run, const std::string& what) {
  std::vector<double> times;
  for (const auto& e : run.sink.events) {
    if (e.name == what) times.push_back(e.t);
  }
  return times;
}

Run run_with(const std::string& solver, const std::string& model, const Wish& wish) {
  Loaded loaded = load(model, wish);
  loaded.experiment.solver = solver;
  return run(loaded);
}

}  // namespace

// The k-th impact is at t1 (1 + 2 (e + ... + e^(k-1))), all before t1 (1 + e)/(1 - e). An error of the height is one of the time
// divided by the speed, which gets small: heights are compared. All integrate a parabola exactly, and what is left is that a contact
// closes 1e-12 lengths too late; ida adds a quarter of its tolerance at its very start.
TEST_CASE("A ball bounces at its exact times until they accumulate, then it rests") {
  constexpr double e = 0.8, tolerance = 1e-10;
  const double t1 = std::sqrt(2 / g), end = t1 * (1 + e) / (1 - e);
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, "mechanisms/bouncing_ball", {.tolerance = tolerance});
    const std::vector<double> impacts = times_of(r, "impact"), rest = times_of(r, "comes to rest");
    REQUIRE(impacts.size() > 45);
    double t = t1, speed = g * t1;
    for (std::size_t k = 0; k < impacts.size(); ++k) {
      CHECK(std::abs(impacts[k] - t) * speed < (solver == "ida" ? tolerance : 1e-11));
      speed *= e;
      t += 2 * speed / g;
    }
    REQUIRE(rest.size() == 1);
    CHECK(times_of(r, "closes").back() == Approx(end).epsilon(2e-5));  // impacts of the last 1e-5 of the run are one
    CHECK(r.last("force") == Approx(0.5 * g));
    CHECK(std::abs(r.last("height")) < 1e-9);
    CHECK(std::abs(r.last("speed")) < 1e-9);
    CHECK(std::abs(r.last("balance")) < 1e-6);
    CHECK(r.sink.summary.warnings.empty());
    // At rest only the last bits are left to be corrected, and none of them is a failure.
    CHECK(times_of(r, "singular position crossed").empty());
  }
}

// While it sticks nothing bounds the steps: the spring's force is a straight line.
TEST_CASE("A block on a belt tears itself loose within a step far longer than it sticks") {
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    Loaded loaded = load("mechanisms/belt", {.until = 5});
    loaded.experiment.solver = solver, loaded.experiment.largest_step = 8;
    CHECK(times_of(run(loaded), "slips").size() == 11);
  }
}

TEST_CASE("A block on a belt sticks and slips as its exact solution does") {
  constexpr double m = 2, k = 800, hold = 30, slide = 20, v = 0.1, until = 5;
  const double w = std::sqrt(k / m), A = (hold - slide) / k;
  std::vector<double> slips, sticks;
  for (double t = hold / k / v; t < until;) {
    slips.push_back(t);
    t += 2 / w * (std::numbers::pi - std::atan(A * w / v));
    if (t >= until) break;
    sticks.push_back(t);
    t += 2 * A / v;
  }
  REQUIRE(slips.size() > 8);
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Run r = run_with(solver, "mechanisms/belt", {.tolerance = 1e-9});
    const std::vector<double> found_slips = times_of(r, "slips"), found_sticks = times_of(r, "sticks");
    REQUIRE(found_slips.size() == slips.size());
    REQUIRE(found_sticks.size() == sticks.size());
    for (std::size_t i = 0; i < slips.size(); ++i) CHECK(std::abs(found_slips[i] - slips[i]) < 1e-6);
    for (std::size_t i = 0; i < sticks.size(); ++i) CHECK(std::abs(found_sticks[i] - sticks[i]) < 1e-6);
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {  // where it sticks it does not creep
      const auto next = std::upper_bound(slips.begin(), slips.end(), r.sink.time[i]);
      const auto last = std::upper_bound(sticks.begin(), sticks.end(), r.sink.time[i]);
      const bool is_stuck = next == slips.begin() || (last != sticks.begin() && *(last - 1) > *(next - 1));
      if (is_stuck) CHECK(std::abs(r.at(i, "slip")) < 1e-9);
    }
  }
}

// [Simeon 1996] §5. All of them have dense output.
TEST_CASE("Down a stair the wheel lifts off and lands in turn, at the same times with every integrator") {
  std::vector<double> reference;
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Run r = run_with(solver, "suspension/five_link", {.experiment = "stair", .tolerance = 1e-9});
    std::vector<double> times;
    bool in_air = false;
    for (const auto& e : r.sink.events) {
      const bool lifts = e.name.ends_with("lift-off");
      REQUIRE((lifts || e.name.ends_with("landing")));
      CHECK(lifts != in_air);
      in_air = lifts;
      if (!times.empty()) CHECK(e.t - times.back() > 1e-3);
      times.push_back(e.t);
    }
    REQUIRE(times.size() >= 6);
    if (reference.empty()) reference = times;
    REQUIRE(times.size() == reference.size());
    for (std::size_t k = 0; k < times.size(); ++k) CHECK(std::abs(times[k] - reference[k]) < 1e-6);
  }
}

TEST_CASE("Events are the same bit for bit with twice the samples") {
  for (const char* model : {"mechanisms/bouncing_ball", "mechanisms/belt", "suspension/five_link"}) {
    const std::string name = model, experiment = name.ends_with("five_link") ? "stair" : "";
    Loaded loaded = load(name, {.experiment = experiment, .until = 0.8});
    const Run once = run(loaded);
    loaded.experiment.output_step /= 2;
    const Run twice = run(loaded);
    REQUIRE(!once.sink.events.empty());
    REQUIRE(once.sink.events.size() == twice.sink.events.size());
    for (std::size_t k = 0; k < once.sink.events.size(); ++k) {
      CHECK(once.sink.events[k].t == twice.sink.events[k].t);
      CHECK(once.sink.events[k].name == twice.sink.events[k].name);
    }
    CHECK(once.sink.states.back() == twice.sink.states.back());
  }
}

// docs/theory/09: (1, 0, 0) becomes (-1/3, 2/3, 2/3) where all touch, and (0, 0, 1) where they meet one by one. The balls turn about
// their pins: as they are alike, the angular velocities share as the velocities do.
TEST_CASE("Newton's cradle with three balls gives what the law of impact gives") {
  const auto after = [](const char* experiment) {
    Loaded loaded = load("mechanisms/cradle", {.experiment = experiment, .tolerance = 1e-8});
    loaded.experiment.until = 0.35;  // the first ball comes down after a quarter of its period, 0.28 s
    const Run r = run(loaded);
    double energy = 0;
    for (const char* ball : {"first_speed", "middle_speed", "last_speed"}) energy += std::pow(r.last(ball), 2);
    CHECK(energy > 0);
    const double first = std::sqrt(2 * g * 0.3 * (1 - std::cos(std::numbers::pi / 6)));
    std::vector<double> speeds;
    const double impact = times_of(r, "impact").front();
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {  // the first sample behind the impact
      if (r.sink.time[i] < impact + 1e-4) continue;
      for (const char* ball : {"first_speed", "middle_speed", "last_speed"}) speeds.push_back(r.at(i, ball) / first);
      break;
    }
    return speeds;
  };
  const std::vector<double> touching = after("touching"), apart = after("apart");
  REQUIRE(touching.size() == 3);
  CHECK(touching[0] == Approx(-1.0 / 3).epsilon(0.02));
  CHECK(touching[1] == Approx(2.0 / 3).epsilon(0.02));
  CHECK(touching[2] == Approx(2.0 / 3).epsilon(0.02));
  REQUIRE(apart.size() == 3);
  CHECK(std::abs(apart[0]) < 0.02);
  CHECK(std::abs(apart[1]) < 0.02);
  CHECK(apart[2] == Approx(1.0).epsilon(0.02));
}
