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
    return S{s[0] + d / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]), s[1] + d / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])};
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
  const auto branch = analysis::follow_cycles(flow, {crossing.value, crossing.mode.frequency, crossing.mode.state, 1e-3}, {.low = 30, .high = 45});
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
