// Bodies along railway tracks. References: a free body in space that is the same body; the balance of weight, cant and centrifugal force; mirror
// images; and the cost of the hundredth kilometre against that of the first.
#include <fmt/format.h>
#include <malloc.h>

#include <cmath>
#include <ctime>

#include "exact_jacobian.testing.h"
#include "run_model.testing.h"
#include "skyhook/model/track_line.h"

using namespace skyhook;

namespace {

const std::string body =
    "bodies: {b: {mass: 1000, inertia: [200, 700, 600, 20, 30, -10], at: [0, 0.1, 0.5], com: [0.05, 0.1, 0.6]}}\n";
const std::string layout =
    "tracks: {line: {pivot: inner, layout: [{type: straight, length: 5}, {type: transition, length: 20, shape: sine}, "
    "{type: "
    "curve, length: 60, radius: 120, turn: left, cant: 0.1}, {type: transition, length: 20}, {type: straight, length: "
    "100}], "
    "gradients: [{at: 60, gradient: 0.03, radius: 800}]}}\n";

std::string model_of(const std::string& tracks, const std::string& joints, const std::string& experiment,
                     const std::string& rest = "") {
  return "skyhook: 1\n" + tracks + body + "joints:\n" + joints + rest + "experiments: {go: {" + experiment + "}}\n";
}

const std::vector<std::string> motion{"b.x", "b.y", "b.z", "b.vx", "b.vy", "b.vz", "b.wx", "b.wy", "b.wz"};

// A hundred times the same kilometre of curves.
std::string hundred_kilometres() {
  std::string pattern;
  for (const char* turn : {"left", "right"})
    pattern += fmt::format(
        "{{type: straight, length: 200}}, {{type: transition, length: 50, shape: sine}}, {{type: curve, length: 200, "
        "radius: 600, turn: "
        "{}, cant: 0.08}}, {{type: transition, length: 50, shape: sine}}, ",
        turn);
  std::string all;
  for (int k = 0; k < 100; ++k) all += pattern;
  return all;
}

}  // namespace

// Nothing but gravity acts on either: coordinates along the track make no force.
TEST_CASE("A body thrown along a track flies as a free one, whatever the line does below it") {
  const std::string go = "until: 4 s, output_step: 0.2 s, tolerance: 1e-9";
  const auto along = testing::run_text(model_of(layout,
                                                "  j: {type: track, track: line, to: b, speed: 20, lateral_rate: 1, "
                                                "vertical_rate: 18, yaw_rate: 0.3, roll_rate: 0.2, pitch_rate: 1}\n",
                                                go),
                                       {.outputs = motion});
  // The same start: at design the line is straight, and rates of angles zero are angular velocities.
  const auto free = testing::run_text(
      model_of("", "  j: {type: free, from: ground, to: b, velocity: [20, 1, 18], angular_velocity: [0.2, 1, 0.3]}\n",
               go),
      {.outputs = motion});
  REQUIRE(along.sink.time.size() == free.sink.time.size());
  for (std::size_t k = 0; k < free.sink.time.size(); ++k) {
    for (const std::string& c : motion) CHECK(std::abs(along.at(k, c) - free.at(k, c)) < 2e-6);
  }
  CHECK(along.sink.summary.energy_closure < 1e-6);
}

// The same over a line change, whose curvature jumps four times within 48 m.
TEST_CASE("A body thrown along a line change flies as a free one") {
  const std::string go = "until: 3 s, output_step: 0.2 s, tolerance: 1e-10";
  const std::string change =
      "tracks: {line: {layout: [{type: straight, length: 5}, {type: line_change, radius: 190, angle: \"1:9\", turn: "
      "left, distance: 4}, "
      "{type: straight, length: 100}]}}\n";
  const auto along = testing::run_text(model_of(change,
                                                "  j: {type: track, track: line, to: b, speed: 30, lateral_rate: 1, "
                                                "vertical_rate: 18, yaw_rate: 0.3, roll_rate: 0.2, pitch_rate: 1}\n",
                                                go),
                                       {.outputs = motion});
  const auto free = testing::run_text(
      model_of("", "  j: {type: free, from: ground, to: b, velocity: [30, 1, 18], angular_velocity: [0.2, 1, 0.3]}\n",
               go),
      {.outputs = motion});
  REQUIRE(along.sink.time.size() == free.sink.time.size());
  for (std::size_t k = 0; k < free.sink.time.size(); ++k) {
    for (const std::string& c : motion) CHECK(std::abs(along.at(k, c) - free.at(k, c)) < 2e-6);
  }
}

TEST_CASE("The derivatives of a body along a track are those of its equations") {
  for (const double at : {2.0, 17.0, 55.0, 98.0}) {
    const auto loaded = testing::load_text(model_of(
        layout,
        fmt::format(
            "  j: {{type: track, track: line, to: b, position: {}, speed: 20, lateral_rate: 1, yaw: 0.1, yaw_rate: "
            "0.3, roll: -0.2, roll_rate: 0.2, pitch_rate: 40}}\n",
            at),
        "until: 1 s", "forces: {s: {type: spring_damper, joint: j.lateral, stiffness: 1000, damping: 30}}\n"));
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
  }
}

// A drive along the track leaves no unknown behind; where a force acts on the way, it is a constraint. Both are the same motion, and the drive's force is that of the constraint.
TEST_CASE("A body that is driven along a track moves the same whether its way is an unknown or not") {
  const std::string joint =
      "  j: {type: track, track: line, to: b, drive: \"=12[m/s]*t + 0.5[m]*sin(2*t/1[s])\", lateral: 5 mm, roll_rate: "
      "0.1}\n";
  const std::string springs =
      "forces: {y: {type: spring_damper, joint: j.lateral, stiffness: 4e5, damping: 4e3}, z: {type: spring_damper, "
      "joint: j.vertical, stiffness: 4e5, "
      "damping: 4e3, preload: -9810}, a: {type: spring_damper, joint: j.yaw, angular_stiffness: 1e5, angular_damping: "
      "1e3}, r: {type: spring_damper, joint: j.roll, "
      "angular_stiffness: 1e5, angular_damping: 1e3}, c: {type: spring_damper, joint: j.pitch, angular_stiffness: 1e5, "
      "angular_damping: 1e3}";
  const std::string go = "until: 8 s, output_step: 0.25 s, tolerance: 1e-9";
  auto outputs = motion;
  outputs.push_back("j.drive_position");
  const auto led = testing::run_text(model_of(layout, joint, go, springs + "}\n"), {.outputs = outputs});
  const auto held = testing::run_text(
      model_of(layout, joint, go, springs + ", none: {type: force, joint: j.position, value: \"=0[N/m]*q\"}}\n"),
      {.outputs = outputs});
  CHECK(led.prepared.active->nv() == 5);
  CHECK(led.prepared.active->ng() == 0);
  CHECK(held.prepared.active->nv() == 6);
  CHECK(held.prepared.active->ng() == 1);
  REQUIRE(led.sink.time.size() == held.sink.time.size());
  for (std::size_t k = 0; k < led.sink.time.size(); ++k) {
    for (const std::string& c : motion) CHECK(led.at(k, c) == doctest::Approx(held.at(k, c)).scale(1).epsilon(3e-6));
    CHECK(led.at(k, "j.drive_position") == doctest::Approx(held.at(k, "j.drive_position")).scale(1e3).epsilon(1e-4));
  }
  CHECK(led.sink.summary.energy_closure < 1e-7);
  CHECK(testing::jacobian_error(led.prepared, 3.0) < 1e-8);
}

// With the speed v along the line, the centre of mass goes round at (v/R)^2 (R - h sin a): the cant leans it inwards. Where that is g tan a, what
// leads it is along the normal of the track, m g / cos a.
TEST_CASE("In a curve with cant the balanced speed leaves nothing across the track") {
  const double a = std::asin(0.1 / 1.5), R = 120, g = 9.81,
               v = R * std::sqrt(g * std::tan(a) / (R - 0.5 * std::sin(a)));
  for (const char* turn : {"left", "right"}) {
    const auto loaded = testing::load_text(
        fmt::format(
            "skyhook: 1\ntracks: {{line: {{pivot: centre, layout: [{{type: transition, length: 20, shape: sine}}, "
            "{{type: "
            "curve, length: 500, radius: 120, turn: {}, cant: 0.1}}]}}}}\nbodies: {{b: {{mass: 1000, inertia: [200, "
            "700, 600], "
            "at: [0, 0, 0.5]}}}}\njoints: {{j: {{type: track, track: line, to: b, drive: \"={:.17g}[m/s]*t\", locked: "
            "[lateral, vertical, yaw, roll, pitch]}}}}\nexperiments: {{go: {{until: 20 s, output_step: 1 s}}}}\n",
            turn, v),
        {.outputs = {"j.position", "j.force_x", "j.force_y", "j.force_z"}});
    const auto r = testing::run(loaded);
    REQUIRE(r.sink.time.size() == 21);
    for (std::size_t k = 4; k < r.sink.time.size(); ++k) {
      const Mat3d axes = loaded.model->tracks[0].line->place(r.at(k, "j.position")).axes;
      const Vec3d f{r.at(k, "j.force_x"), r.at(k, "j.force_y"), r.at(k, "j.force_z")};
      CHECK(std::abs(dot(f, axes.column(1))) < 1e-6 * 9810);
      CHECK(dot(f, axes.column(2)) == doctest::Approx(9810 / std::cos(a)).epsilon(1e-8));
    }
  }
}

// What a vehicle does in the hundredth kilometre is what it does in the first, at the same cost.
TEST_CASE("The hundredth kilometre of a line is as good as the first, and costs the same") {
  const std::string all = hundred_kilometres();
  const auto ride = [&](double from) {
    return testing::run_text("skyhook: 1\ntracks: {line: {layout: [" + all + "{type: straight, length: 10}]}}\n" +
                                 body +
                                 fmt::format("joints: {{j: {{type: track, track: line, to: b, position: {}, speed: 30, "
                                             "locked: [vertical, roll, pitch]}}}}\n",
                                             from) +
                                 "forces: {y: {type: spring_damper, joint: j.lateral, stiffness: 1e5, damping: 2e3}, "
                                 "z: {type: spring_damper, joint: j.yaw, "
                                 "angular_stiffness: 1e5, angular_damping: 2e3}}\nexperiments: {go: {until: 30 s, "
                                 "output_step: 0.5 s, tolerance: 1e-7}}\n",
                             {.outputs = {"j.position", "j.lateral", "j.yaw", "j.position_rate"}});
  };
  const auto first = ride(0), last = ride(99000);
  REQUIRE(first.sink.time.size() == last.sink.time.size());
  for (std::size_t k = 0; k < first.sink.time.size(); ++k) {
    CHECK(std::abs(first.at(k, "j.lateral") - last.at(k, "j.lateral")) < 1e-6);
    // The tolerance of a way is absolute: how far it has come does not count.
    CHECK(std::abs(first.at(k, "j.position") + 99000 - last.at(k, "j.position")) < 1e-5);
  }
  CHECK(last.sink.summary.cost.steps < 1.1 * static_cast<double>(first.sink.summary.cost.steps));
}

// A wheelset on the rails of that line: what the start takes in time and memory, and what it takes to go on, in the first kilometre and in the hundredth. Times are those of a busy machine; a factor of three would be growth.
TEST_CASE("Start-up, memory and the cost of a metre do not grow with the way") {
  const std::string all = hundred_kilometres();
  struct Cost {
    double start = 1e300, run = 1e300, memory = 0, steps = 0;
  };
  const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const auto cost_at = [&](double from) {
    const auto loaded =
        testing::load_text("skyhook: 1\ntracks: {line: {rail: uic60, layout: [" + all +
                               "{type: straight, length: 10}]}}\nbodies: {set: {mass: 12000, inertia: [800, 100, 800], "
                               "at: [0, 0, 0.46]}}\n" +
                               fmt::format("joints: {{way: {{type: track, track: line, to: set, position: {}, speed: "
                                           "20 m/s, rolling_radius: 459.9 mm, vertical: 459.76 mm}}}}\n",
                                           from) +
                               "forces:\n  left: {type: wheel_rail, track: line, to: set, side: left, wheel: s1002, "
                               "radius: 460 mm, contact: multi_hertz, creep: polach}\n"
                               "  right: {type: wheel_rail, track: line, to: set, side: right, wheel: s1002, radius: "
                               "460 mm, contact: multi_hertz, creep: polach}\n"
                               "experiments: {go: {until: 5 s, output_step: 0.5 s, tolerance: 1e-5}}\n",
                           {.outputs = {"way.position", "way.lateral"}});
    Cost out;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto before = mallinfo2().uordblks;
      double begin = seconds();
      const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
      REQUIRE(prepared.ok());
      out.start = std::min(out.start, seconds() - begin);
      out.memory = static_cast<double>(mallinfo2().uordblks) - static_cast<double>(before);
      begin = seconds();
      const auto r = testing::run(loaded);
      out.run = std::min(out.run, seconds() - begin);
      out.steps = static_cast<double>(r.sink.summary.cost.steps);
    }
    MESSAGE("at ", 1e-3 * from, " km: start ", 1e3 * out.start, " ms, ", 1e-6 * out.memory, " MB; 100 m: ", out.steps,
            " steps, ", 1e3 * out.run, " ms");
    return out;
  };
  const Cost first = cost_at(0), last = cost_at(99000);
  CHECK(last.start < 3 * first.start);
  CHECK(last.run < 3 * first.run);
  CHECK(last.memory < 1.05 * first.memory + 1e4);
  CHECK(last.steps < 1.2 * first.steps);
}
