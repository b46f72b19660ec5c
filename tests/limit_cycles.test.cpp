// Limit cycles against an independent shooting on the two equations of the oscillator, and against averaging.
#include "skyhook/analysis/limit_cycles.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/root_locus.h"

using namespace skyhook;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;

// The parameters of models/mechanisms/self_excited.yaml.
constexpr double v_h = 40, k = 100, c_v = 0.02, c_2 = 8000, c_4 = 80e6;
double damping(double v, double x) { return (v_h - v) * c_v - c_2 * x * x + c_4 * x * x * x * x; }

// From (A, 0) to the next upper turning point, by Runge and Kutta with small steps; the end is found by the velocity as independent variable.
struct Turn {
  double A, T;
};
Turn turn(double v, double A, double h = 1e-3) {
  using S = std::array<double, 2>;
  const auto rate = [&](const S& s) { return S{s[1], -k * s[0] - damping(v, s[0]) * s[1]}; };
  const auto step = [&](S s, double d) {
    const auto along = [](S a, double by, const S& b) { return S{a[0] + by * b[0], a[1] + by * b[1]}; };
    const S k1 = rate(s), k2 = rate(along(s, d / 2, k1)), k3 = rate(along(s, d / 2, k2)), k4 = rate(along(s, d, k3));
    return S{s[0] + d / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]),
             s[1] + d / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])};
  };
  S s{A, 0};
  double t = 0;
  for (bool was_below = false;;) {
    const S next = step(s, h);
    if (was_below && s[1] > 0 && next[1] <= 0) break;
    was_below = was_below || next[1] < 0;
    s = next, t += h;
  }
  double d = 0;  // Newton for x' = 0 within the step
  for (int i = 0; i < 8; ++i) {
    const S at = step(s, d);
    d -= at[1] / rate(at)[1];
  }
  return {step(s, d)[0], t + d};
}

// The speed at which A is the amplitude of a cycle (upper turning point), by the secant rule.
double speed_of(double A) {
  double a = v_h - (c_2 * A * A / 4 - c_4 * A * A * A * A / 8) / c_v, b = a + 1e-3, fa = turn(a, A).A - A;
  for (int i = 0; i < 30 && std::abs(b - a) > 1e-12; ++i) {
    const double fb = turn(b, A).A - A, next = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = next;
  }
  return b;
}

std::shared_ptr<const model::Model> model_at(double v) {
  return testing::load("mechanisms/self_excited", {.set = {{"v", fmt::format("{:.17g} m/s", v)}}}).model;
}

struct Linear {
  simulation::Prepared prepared;
  analysis::OperatingPoint at;
  analysis::Linearisation linear;
  analysis::Modes modes;
};
Linear linear_at(const std::shared_ptr<const model::Model>& m, const model::Experiment& e) {
  Linear out{simulation::prepare(m, e), {}, {}, {}};
  const auto found = analysis::find_equilibrium(out.prepared);
  REQUIRE(found.found);
  out.prepared = analysis::prepared_at(std::move(out.prepared), found), out.at = analysis::at_equilibrium(found);
  out.linear = analysis::linearise(out.prepared, out.at);
  out.modes = analysis::find_modes(out.prepared, out.at, out.linear);
  return out;
}

}  // namespace

TEST_CASE("Limit cycles: an oscillator with a subcritical Hopf bifurcation") {
  const model::Experiment e = testing::load("mechanisms/self_excited").experiment;
  const auto crossing = analysis::find_crossing([&](double v) { return linear_at(model_at(v), e).modes; }, 30, 45);
  // What counts as growing is above 1e-9 of its frequency (modes.cpp): with c_v/(2 m) 1/s for each m/s, 1e-6 m/s above 40.
  CHECK(crossing.value == Approx(40 + 1e-9 * 10 / (c_v / 2)).epsilon(2e-9));
  CHECK(crossing.mode.frequency == Approx(10 / (2 * pi)).epsilon(1e-8));

  const Linear at = linear_at(model_at(crossing.value), e);
  const analysis::FlowMap flow(at.prepared, at.at, at.linear, e, model_at, {.output = {"x", "slide.displacement", {}}});
  REQUIRE(flow.size() == 2);
  const auto branch = analysis::follow_cycles(
      flow, {crossing.value, crossing.mode.frequency, crossing.mode.state, 1e-3}, {.low = 30, .high = 45});
  MESSAGE(branch.end << ", " << branch.cycles.size() << " cycles, " << branch.runs << " runs");
  CHECK(branch.is_complete);
  CHECK(branch.end == "the parameter leaves its range");

  // Each against the independent shooting: the upper turning point of the found cycle belongs to that speed, with that period. Runs at 1e-10 and samples joined
  // by parabolas leave 1e-6 of the amplitude (200 samples a cycle: (2 pi/200)^4/128).
  int unstable = 0, folds = 0;
  double before = 0;
  for (const auto& c : branch.cycles) {
    CAPTURE(c.parameter);
    CAPTURE(c.amplitude());
    const double v = speed_of(c.high);
    CHECK(std::abs(c.parameter - v) < 2e-5);
    CHECK(c.period == Approx(turn(v, c.high).T).epsilon(1e-7));
    CHECK(c.low == Approx(-c.high).epsilon(1e-6));
    CHECK(c.high > before);
    CHECK(c.own < 1e-3);
    before = c.high;
    // Stable where a larger amplitude shrinks: beyond the fold.
    const double slope = (turn(v, c.high * (1 + 1e-5)).A - turn(v, c.high * (1 - 1e-5)).A) / (2e-5 * c.high);
    REQUIRE(c.multipliers.size() == 1);
    CHECK(c.multipliers[0].real() == Approx(slope).epsilon(2e-4));
    if (!c.is_fold) CHECK(c.is_stable == (slope < 1));
    unstable += !c.is_stable, folds += c.is_fold;
  }
  CHECK(unstable > 3);
  REQUIRE(folds == 1);
  const auto fold = std::ranges::find_if(branch.cycles, &analysis::LimitCycle::is_fold);
  // The fold by the independent shooting: least speed over the amplitude, by golden section.
  double low = 0.008, high = 0.012;
  for (int i = 0; i < 40; ++i) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    (speed_of(a) < speed_of(b) ? high : low) = speed_of(a) < speed_of(b) ? b : a;
  }
  CHECK(fold->parameter == Approx(speed_of(low)).epsilon(1e-6));
  CHECK(fold->parameter == Approx(35).epsilon(1e-3));  // averaging
  CHECK(fold->amplitude() == Approx(0.01).epsilon(0.01));
}

// The linear critical speed of a two-axle bogie against six equations of motion that are written down here: y and psi of frame, front and rear wheelset,
// with the numbers of models/rail/hunting_bogie.yaml. The motion along the track decouples.
TEST_CASE("Critical speed: a two-axle bogie with linear creep") {
  constexpr double l = 1.074, b = 0.75, w = 0.62, r0 = 0.4572, conicity = 0.05, f = 6e6, k_y = 1.823e6, k_x = 3.646e6;
  const auto grows = [&](double v) {
    DenseMatrix A(12, 12);  // (y, psi) of frame, front, rear, then their rates
    const double mass[6] = {2918.9, 6780, 1022, 678, 1022, 678};
    const auto add = [&](int i, int j, double k, double c) {
      A(6 + i, j) -= k / mass[i], A(6 + i, 6 + j) -= c / mass[i];
    };
    for (int i = 0; i < 6; ++i) A(i, 6 + i) = 1;
    add(0, 0, 182.3e3, 29.2e3), add(1, 1, 2e6, 0);
    for (const int s : {2, 4}) {
      const double at = s == 2 ? l : -l, K = 2 * k_y,
                   R = 2 * k_x * w * w;  // two boxes: across, and about z by the springs along
      add(s, s, K, 2 * f / v), add(s, s + 1, -2 * f, 0), add(s, 0, -K, 0), add(s, 1, -K * at, 0);
      add(s + 1, s + 1, R, 2 * f * b * b / v), add(s + 1, s, 2 * f * b * conicity / r0, 0), add(s + 1, 1, -R, 0);
      add(0, 0, K, 0), add(0, 1, K * at, 0), add(0, s, -K, 0);
      add(1, 0, K * at, 0), add(1, 1, K * at * at + R, 0), add(1, s, -K * at, 0), add(1, s + 1, -R, 0);
    }
    double most = -1e300;
    for (const Complex& value : eigen_pairs(A).values) most = std::max(most, value.real());
    return most > 0;
  };
  double low = 20, high = 100;
  REQUIRE(!grows(low));
  REQUIRE(grows(high));
  for (int i = 0; i < 60; ++i) (grows(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  const model::Experiment e = testing::load("rail/hunting_bogie").experiment;
  const auto at = [&](double v) {
    return linear_at(testing::load("rail/hunting_bogie", {.set = {{"v", fmt::format("{:.17g} m/s", v)}}}).model, e)
        .modes;
  };
  CHECK(analysis::find_crossing(at, 20, 100).value ==
        Approx(low).epsilon(1e-6));  // what counts as growing is above 1e-9 of its frequency
}

// A bogie whose car is driven along a track: its ways grow by 40 m a second. Counted from the speed of the start they come back, at other speeds too; the start is steady but for what its
// digits leave open: wheels that sink by 1.7e-5 m, where ways have grown by 2 m.
TEST_CASE("Flow map: ways along a track are counted from the speed of the vehicle") {
  const auto at_speed = [](double v) {
    return testing::load("rail/cooperrider", {.set = {{"speed", fmt::format("{:.17g} m/s", v)}}}).model;
  };
  const model::Experiment e = testing::load("rail/cooperrider").experiment;
  const auto prepared = simulation::prepare(at_speed(40), e);
  std::string problem;
  const auto at = analysis::in_motion(*prepared.active, prepared.state, problem);
  REQUIRE_MESSAGE(at, problem);
  const analysis::FlowMap flow(prepared, *at, analysis::linearise(prepared, *at), e, at_speed,
                               {.tolerance = 1e-7, .output = {"y", "car.bogie.front.way.lateral", {}}});
  const Vector rest(static_cast<std::size_t>(flow.size()));
  int ways = 0;
  for (const double v : {40.0, 45.0}) {
    const analysis::Passage run = flow.run(v, rest, 0.05, 1, 2);
    REQUIRE_MESSAGE(run.problem.empty(), run.problem);
    for (std::size_t k = 0; k < rest.size(); ++k) {
      CAPTURE(k);
      CHECK(std::abs(run.start()[k]) < 1e-12);
      if (flow.kind(static_cast<int>(k)) == analysis::FlowMap::Kind::position)
        CHECK(std::abs(run.end()[k]) < 1e-4), ++ways;  // m, rad
    }
  }
  CHECK(ways > 6);
}

namespace {

// Two seconds from the end of a run of y: half its range, and its frequency by zero crossings.
struct Swing {
  double amplitude = 0, frequency = 0;
};
Swing swing_of(const testing::Run& run) {
  Swing out;
  double low = 0, high = 0, first = 0, last = 0;
  int turns = -1;
  for (std::size_t i = 1; i < run.sink.time.size(); ++i) {
    const double t = run.sink.time[i], a = run.at(i - 1, "y"), b = run.at(i, "y");
    if (t < run.sink.time.back() - 2) continue;
    low = std::min(low, b), high = std::max(high, b);
    if (a >= 0 || b < 0) continue;
    last = run.sink.time[i - 1] + (t - run.sink.time[i - 1]) * a / (a - b);
    if (++turns == 0) first = last;
  }
  out.amplitude = (high - low) / 2, out.frequency = turns / (last - first);
  return out;
}

}  // namespace

// A vehicle on a track, with one branch that no onset leads to (docs/rail.md): the bogie of Cooperrider, kicked at 35 m/s, swings by 0.925 mm. The continuation finds the cycle there, and others beside it;
// a run at one of these speeds swings as much. Runs at 1e-4, from 5 mm, are 1e-3 off their cycle after 12 s (its largest multiplier is 0.98), and samples of 2 ms are 92 a turn: their largest is low by (pi/92)^2/2 = 6e-4 at most.
TEST_CASE("Limit cycles: a bogie on a track swings in simulations as the continuation has it") {
  const auto settings = [](double v) {
    return std::vector<io::Setting>{
        {"speed", fmt::format("{:.17g} m/s", v)}, {"creep", "polach"}, {"contact", "multi_hertz"}};
  };
  const auto at_speed = [&](double v) { return testing::load("rail/cooperrider", {.set = settings(v)}).model; };
  const auto kicked = [&](double v) {
    return testing::load("rail/cooperrider",
                         {.experiment = "kick", .set = settings(v), .until = 12, .output_step = 2e-3});
  };
  const model::Experiment e = testing::load("rail/cooperrider").experiment;
  const auto prepared = simulation::prepare(at_speed(35), e);
  std::string problem;
  const auto at = analysis::in_motion(*prepared.active, prepared.state, problem);
  REQUIRE_MESSAGE(at, problem);
  const analysis::FlowMap flow(prepared, *at, analysis::linearise(prepared, *at), e, at_speed,
                               {.tolerance = 1e-7, .output = {"y", "car.bogie.front.way.lateral", {}}});
  const testing::Loaded kick = kicked(35);
  const auto settled = analysis::settled_cycle(
      flow.run_of(35, simulation::prepare(kick.model, kick.experiment), kick.experiment, 3000), 35);
  REQUIRE_MESSAGE(settled.problem.empty(), settled.problem);
  const auto branch = analysis::follow_cycles(flow, settled, {.low = 20, .high = 45, .most_points = 2});
  REQUIRE_MESSAGE(branch.cycles.size() == 3, branch.end);
  CHECK(branch.cycles[1].parameter == Approx(35));
  CHECK(branch.cycles[0].parameter < 34.8);
  CHECK(branch.cycles[2].parameter > 35.2);
  for (const auto& c : branch.cycles) {
    CAPTURE(c.parameter);
    CHECK(c.is_stable);
    CHECK(c.low == Approx(-c.high).epsilon(1e-4));
    MESSAGE("amplitude at ", c.parameter, " m/s ", 1e3 * c.amplitude(), " mm, ", 1 / c.period,
            " Hz, largest multiplier ", std::abs(c.multipliers.front()));
  }
  CHECK(branch.cycles[1].amplitude() == Approx(settled.amplitude).epsilon(2e-3));
  CHECK(branch.cycles[1].period == Approx(settled.period).epsilon(1e-3));
  const Swing beside = swing_of(testing::run(kicked(branch.cycles[0].parameter)));
  CHECK(branch.cycles[0].amplitude() == Approx(beside.amplitude).epsilon(3e-3));
  CHECK(1 / branch.cycles[0].period == Approx(beside.frequency).epsilon(1e-3));
}

// What a run must do to be a cycle.
TEST_CASE("Limit cycles: a run that has settled, one that dies away, one that does not come back") {
  const auto passage = [](const std::function<double(double)>& y) {
    analysis::Passage out;
    for (int i = 0; i <= 3000; ++i)
      out.t.push_back(i * 4e-3), out.x.push_back({y(i * 4e-3)}), out.output.push_back(y(i * 4e-3));
    return out;
  };
  const double w = 2 * pi * 3;
  const auto settled = analysis::settled_cycle(
      passage([&](double t) { return 0.2 + 0.01 * std::sin(w * t) + 0.05 * std::exp(-2 * t); }), 7);
  CHECK(settled.problem.empty());
  CHECK(settled.period == Approx(1.0 / 3).epsilon(1e-6));
  CHECK(settled.amplitude == Approx(0.01).epsilon(1e-5));
  CHECK(settled.parameter == 7);
  CHECK(analysis::settled_cycle(passage([&](double t) { return std::exp(-0.5 * t) * std::sin(w * t); }), 0).problem ==
        "its oscillation dies away.");
  CHECK(analysis::settled_cycle(passage([&](double t) { return std::exp(-2 * t); }), 0).problem ==
        "its oscillation dies away.");
  CHECK(analysis::settled_cycle(passage([&](double t) { return std::sin(w * t + 2 * std::sin(t)); }), 0).problem ==
        "its oscillation is not periodic.");
}
