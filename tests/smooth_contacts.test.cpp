// Contacts and stops whose force has no jump: without events they are as accurate, and what a step would leap over is met all the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};
constexpr double g = 9.81;

// A ball of 1 kg that slides along z.
std::string ball(double height, double rate, const std::string& gravity, const std::string& law,
                 const std::string& end) {
  return fmt::format(
      "skyhook: 1\ngravity: {}\nbodies: {{ball: {{mass: 1, at: [0, 0, 0]}}}}\nmarkers: {{top: {{body: ground, at: [0, "
      "0, 4.8], orientation: {{x: [1, 0, 0], y: [0, -1, 0]}}}}}}\njoints: {{fall: {{type: prismatic, from: ground, to: "
      "ball, axis: z, displacement: {}, rate: {}}}}}\nforces: {{floor: {{{}}}}}\noutputs: [ball.z, "
      "ball.vz]\nexperiments: {{e: {{{}}}}}\n",
      gravity, height, rate, law, end);
}

Run run_with(const std::string& solver, const std::string& text, double tolerance) {
  Loaded loaded = load_text(text, {.tolerance = tolerance});
  loaded.experiment.solver = solver;
  return run(loaded);
}

template <class Exact>
double largest_error(const Run& r, Exact&& exact) {
  double most = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i)
    most = std::max(most, std::abs(r.at(i, "ball.z") - exact(r.sink.time[i])));
  return most;
}

// Dropped from h on a spring of 1 kg w^2: it falls, swings about -g/w^2 from the touch until it is back, and rises again.
double on_spring(double t, double h, double w) {
  const double fall = std::sqrt(2 * h / g), v = g * fall;
  const double touch = 2 * (std::numbers::pi - std::atan(v * w / g)) / w;
  t = std::fmod(t, 2 * fall + touch);
  if (t < fall) return h - 0.5 * g * t * t;
  t -= fall;
  if (t < touch) return -v / w * std::sin(w * t) - g / (w * w) * (1 - std::cos(w * t));
  t -= touch;
  return v * t - 0.5 * g * t * t;
}

// Hertz' impact with the speed v on a force K p^1.5: p_max^2.5 = 5/4 v^2/K, and the time that it takes.
double time_of_impact(double v, double K) {
  const double deepest = std::pow(1.25 * v * v / K, 0.4);
  return 2 * deepest / v * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
}

const std::string fall = "[0, 0, -9.81]";

}  // namespace

// Its slope jumps at the touch: the worst of the laws that may do without events.
TEST_CASE(
    "Smooth contacts: a ball on a linear spring bounces as exactly without events, and has them where asked for") {
  for (const std::string law :
       {"type: contact, from: ground, to: ball, stiffness: 10 kN/m, depth: 1 m, exponent: 1",
        "type: bump_stop, joint: fall, engage_length: 0, stiffness: 10 kN/m, depth: 1 m, exponent: 1"}) {
    for (const std::string solver : integrators) {
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        CAPTURE(law);
        CAPTURE(solver);
        CAPTURE(tolerance);
        for (const bool on : {false, true}) {
          const std::string text =
              ball(0.1, 0, fall, law + (on ? ", events: on" : ""), "until: 1 s, output_step: 2 ms");
          const Run r = run_with(solver, text, tolerance);
          // 74 without events and 47 with them at most: as solvers agree elsewhere.
          CHECK(largest_error(r, [](double t) { return on_spring(t, 0.1, 100); }) < 100 * tolerance);
          const bool has_events = on || tolerance < 1e-7;        // there a kink would cost more than the tolerance
          CHECK(r.sink.summary.events == (has_events ? 6 : 0));  // three bounces
          CHECK(r.sink.events.size() == (has_events ? 6 : 0));
        }
      }
    }
  }
}

TEST_CASE("Smooth contacts: an impact of Hertz takes its time, with and without events") {
  constexpr double v = 2, until = 0.2, stiffness = 1e5, depth = 1e-3, tolerance = 1e-6;
  const double touching = time_of_impact(v, stiffness / std::sqrt(depth));
  for (const std::string solver : integrators) {
    for (const double height : {0.1, 0.12, 0.15}) {
      for (const std::string events : {"off", "on"}) {
        CAPTURE(solver);
        CAPTURE(events);
        const std::string law = fmt::format(
            "type: contact, from: ground, to: ball, stiffness: {}, depth: {}, events: {}", stiffness, depth, events);
        const Run r = run_with(solver, ball(height, -v, "off", law, "until: 0.2 s, output_step: 0.2 s"), tolerance);
        const double flight = until - height / v - touching;
        CHECK(std::abs(r.last("ball.z") - v * flight) < 100 * tolerance);
        CHECK(std::abs(r.last("ball.vz") - v) * flight < 100 * tolerance);
      }
    }
  }
}

// What an integrator errs by in the depth is work of the force: an error dz where the force is F changes the speed behind the impact by F dz/(m v), at the deepest point, with
// the largest force, by 523 tolerances of speed for one of length (1 m and 1 m/s being their usual sizes). Whatever the method, it is errors of a few tolerances of length.
TEST_CASE(
    "Smooth contacts: behind an impact of Hertz the speed errs by what a few tolerances of depth do, at all "
    "tolerances") {
  constexpr double v = 2, stiffness = 1e5, depth = 1e-3;
  const double K = stiffness / std::sqrt(depth), deepest = std::pow(1.25 * v * v / K, 0.4);
  const double speed_by_length = K * std::pow(deepest, 1.5) / v;  // 1/s, with a mass of 1 kg
  CHECK(speed_by_length == doctest::Approx(523).epsilon(0.01));
  for (const std::string solver : integrators) {
    for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
      for (const std::string events : {"off", "on"}) {
        CAPTURE(solver);
        CAPTURE(tolerance);
        CAPTURE(events);
        const std::string law = fmt::format(
            "type: contact, from: ground, to: ball, stiffness: {}, depth: {}, events: {}", stiffness, depth, events);
        const Run r = run_with(solver, ball(0.1, -v, "off", law, "until: 0.2 s, output_step: 0.2 s"), tolerance);
        CHECK(std::abs(r.last("ball.vz") - v) < 3 * speed_by_length * tolerance);  // 2.0 with adams at 1e-10
      }
    }
  }
}

// Thrown up with v0 it meets the ceiling at 4.8 m with v1 = sqrt(v0^2 - 2 g 4.8), is pressed back within 2 atan(v1 w/g)/w and leaves
// with v1. Steps of 2 s pass the apex, 10.5 cm above the ceiling, in one go, silent at both ends.
TEST_CASE("Smooth contacts: what a step would leap over is met without events too") {
  constexpr double v0 = 9.81, w = 100;
  const double v1 = std::sqrt(v0 * v0 - 2 * g * 4.8);
  const double leave = (v0 - v1) / g + 2 * std::atan(v1 * w / g) / w;
  for (const std::string law :
       {"type: contact, from: top, to: ball, stiffness: 10 kN/m, depth: 1 m, exponent: 1",
        "type: bump_stop, joint: fall, engage_length_max: 4.8, stiffness: 10 kN/m, depth: 1 m, exponent: 1"}) {
    for (const std::string solver : integrators) {
      CAPTURE(law);
      CAPTURE(solver);
      const Run r = run_with(solver, ball(0, v0, fall, law, "until: 100 s, output_step: 1 s"), 1e-6);
      CHECK(r.sink.summary.events == 0);
      for (const std::size_t i : {1, 2, 3}) {
        const double t = r.sink.time[i] - leave;
        CHECK(std::abs(r.at(i, "ball.z") - (4.8 - v1 * t - 0.5 * g * t * t)) < 1e-3);  // v1 - v0 = 8.4 m/s is at stake
      }
    }
  }
}

// A point on a wheel dips into the floor for a while that is shorter than a step, which begins anywhere.
TEST_CASE(
    "Smooth contacts: a floor that is met and left within one step turns the wheel back, wherever the step begins") {
  static constexpr double R = 0.139, d = 0.136, w = 8;
  const auto last_angle = [](double phi, const std::string& events, const std::string& solver, double tolerance) {
    Loaded loaded = load_text(
        fmt::format(
            "skyhook: 1\ngravity: off\nbodies: {{b: {{mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0]}}}}\njoints: "
            "{{j: {{type: revolute, from: ground, to: b, at: [0, 0, 0], axis: y, rate: {}}}}}\nforces: {{floor: "
            "{{type: "
            "contact, from: {{body: ground, at: [0, 0, {}]}}, to: b, to_at: [{}, 0, {}], stiffness: 200 kN/m, depth: 1 "
            "mm, events: {}}}}}\noutputs: [j.angle]\nexperiments: {{turn: {{until: 0.48, output_step: 0.06, "
            "largest_step: 0.06}}}}\n",
            w, -d, R * std::sin(phi), -R * std::cos(phi), events),
        {.tolerance = tolerance});
    loaded.experiment.solver = solver;
    return run(loaded).last("j.angle");
  };
  for (int k = 0; k < 20; ++k) {
    const double phi = 1.65 + 0.012 * k, reference = last_angle(phi, "on", "radau5", 1e-10);
    CHECK(std::abs(reference - w * 0.48) > 0.05);  // what the floor does
    for (const std::string solver : {"dopri5", "radau5", "bdf"}) {
      CAPTURE(phi);
      CAPTURE(solver);
      CHECK(std::abs(last_angle(phi, "off", solver, 1e-6) - reference) < 5e-4);
    }
  }
}

// Links touch and leave by turns: each event is a restart of the whole chain, error control passes the touch.
TEST_CASE("Smooth contacts: a chain that falls on the ground costs less without events and moves alike") {
  const auto fallen = [](const std::string& touches, const std::string& solver) {
    Loaded loaded = load("bench/falling_chain", {.set = {{"N", "64"}, {"touches", touches}}, .until = 0.12});
    loaded.experiment.solver = solver;
    return run(loaded);
  };
  for (const std::string solver : {"bdf", "ida", "dopri5"}) {
    CAPTURE(solver);
    const Run off = fallen("off", solver), on = fallen("on", solver);
    CHECK(off.sink.summary.events == 0);
    CHECK(on.sink.summary.events > 200);
    CHECK(off.sink.summary.cost.steps < on.sink.summary.cost.steps);
    CHECK(3 * off.sink.summary.cost.jacobians <= 2 * on.sink.summary.cost.jacobians);
    for (const char* channel : {"first", "last", "x"})
      CHECK(std::abs(off.last(channel) - on.last(channel)) < 100 * 1e-6);
  }
}
