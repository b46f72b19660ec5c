// A body that rides along a curve (joint `guide`, a node of the tree by its motion subspace). References: on a cycloid the way along it swings
// harmonically, whatever the amplitude; on a circle it is a pendulum on a hinge; along a line it is a slider; with point_on_curve the same
// body on the same curve.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "exact_jacobian.testing.h"
#include "run_model.testing.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

std::string model_of(const std::string& bodies, const std::string& joints, const std::string& experiment,
                     const std::string& rest = "") {
  return "skyhook: 1\nbodies:\n" + bodies + "joints:\n" + joints + rest + "experiments: {go: {" + experiment + "}}\n";
}

}  // namespace

// x = R (s + sin s), z = R (1 - cos s): the arc from the bottom is 4 R sin(s/2) and z = arc^2 / (8 R), so that arc'' = -g arc / (4 R).
TEST_CASE("A bead on a cycloid swings harmonically, with every solver") {
  const double g = 9.81, R = 0.5, omega = std::sqrt(g / (4 * R)), bottom = 4 * R * std::sin(1.25);
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run_text(
        model_of("  bead: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0]}\n",
                 "  wire: {type: guide, from: ground, to: bead, x: =0.5*(s+sin(s)), z: =0.5*(1-cos(s)), range: [-2.5, "
                 "2.5], axes: keep, position: 3.2 m}\n",
                 "until: 3 s, output_step: 0.1 s, tolerance: 1e-8, solver: " + solver),
        {.outputs = {"wire.position"}});
    for (std::size_t k = 0; k < r.sink.time.size(); k += 10) {
      const double way = bottom + (3.2 - bottom) * std::cos(omega * r.sink.time[k]);
      CHECK(std::abs(r.at(k, "wire.position") - way) < 2e-5);
    }
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

// The bob turns with the circle as one that hangs on a hinge: all is equal, what the joint carries included (its moment about another point).
TEST_CASE("A body that follows a circle is a pendulum: motion and reaction") {
  const std::string body = "  bob: {mass: 2, inertia: [0.1, 0.2, 0.1], at: [0, 0, -0.5], com: [0.05, 0, -0.6]}\n";
  const std::string go = "until: 2 s, output_step: 0.05 s, tolerance: 1e-10, solver: dopri5";
  const testing::Wish wish{.outputs = {"bob.x", "bob.z", "bob.pitch", "bob.vx", "bob.wy", "bob.ax", "hinge.force_x",
                                       "hinge.force_z", "hinge.moment_y"}};
  const auto hinge = testing::run_text(
      model_of(body, "  hinge: {type: revolute, from: ground, to: bob, at: [0, 0, 0], axis: y, angle: 40 deg}\n", go),
      wish);
  const double start = 2 * std::numbers::pi * 0.5 - 0.5 * 40 * std::numbers::pi / 180;
  const auto ring = testing::run_text(
      model_of(body,
               fmt::format("  hinge: {{type: guide, from: ground, to: bob, x: =0.5*sin(s), z: =-0.5*cos(s), range: "
                           "[0, =2*pi], closed: true, position: {:.17g} m}}\n",
                           start),
               go),
      wish);
  for (std::size_t k = 0; k < hinge.sink.time.size(); ++k) {
    for (const char* c : {"bob.x", "bob.z", "bob.pitch", "bob.vx", "bob.wy", "bob.ax"})
      CHECK(std::abs(hinge.at(k, c) - ring.at(k, c)) < 2e-7);
    for (const char* c : {"hinge.force_x", "hinge.force_z"}) CHECK(std::abs(hinge.at(k, c) - ring.at(k, c)) < 2e-5);
    const double fx = hinge.at(k, "hinge.force_x"), fz = hinge.at(k, "hinge.force_z");
    const double x = ring.at(k, "bob.x"),
                 z = ring.at(k, "bob.z");  // moment about y at (x, z): the force acts at the origin
    CHECK(std::abs(ring.at(k, "hinge.moment_y") - (x * fz - z * fx)) < 2e-5);
  }
}

TEST_CASE("A guide and point_on_curve move a body alike along one curve") {
  const std::string body = "  bead: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, -0.5]}\n";
  const std::string go = "until: 2 s, output_step: 0.1 s, tolerance: 1e-9, solver: bdf/ggl";
  const testing::Wish wish{.outputs = {"bead.x", "bead.z", "bead.vx", "wire.force_x", "wire.force_z"}};
  const std::string oval = "x: =0.6*sin(s), y: =0.1*sin(2*s), z: =-0.5*cos(s), range: [0, =2*pi], closed: true";
  const auto guide = testing::run_text(
      model_of(body, "  wire: {type: guide, from: ground, to: bead, " + oval + ", axes: keep, rate: 5 m/s}\n", go),
      wish);
  const double slope = std::hypot(0.6, 0.2);  // the direction at s = 0 is (0.6, 0.2, 0)
  const auto held = testing::run_text(
      model_of(body,
               fmt::format("  float: {{type: free, from: ground, to: bead, velocity: [{:.17g}, {:.17g}, 0]}}\n",
                           5 * 0.6 / slope, 5 * 0.2 / slope) +
                   "  wire: {type: point_on_curve, from: ground, to: bead, " + oval + "}\n",
               go),
      wish);
  for (std::size_t k = 0; k < guide.sink.time.size(); ++k) {
    for (const char* c : {"bead.x", "bead.z", "bead.vx"}) CHECK(std::abs(guide.at(k, c) - held.at(k, c)) < 1e-5);
    for (const char* c : {"wire.force_x", "wire.force_z"})
      CHECK(std::abs(guide.at(k, c) - held.at(k, c)) < 1e-3 * (1 + std::abs(held.at(k, c))));
  }
}

// In a closed loop, from either side: the guide of a slider-crank is a straight line, carried by the ground or by the piston.
TEST_CASE("A slider-crank with a guide in place of its slider") {
  const auto run = [](const std::string& slider, const std::string& solver) {
    return testing::run_text(
        model_of("  crank: {mass: 1, inertia: [0.01, 0.02, 0.01], at: [0, 0, 0], com: [0.05, 0, 0]}\n"
                 "  rod: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0.1, 0, 0], com: [0.25, 0, 0]}\n"
                 "  piston: {mass: 0.5, inertia: [0.01, 0.01, 0.01], at: [0.4, 0, 0]}\n",
                 "  a: {type: revolute, from: ground, to: crank, axis: y, at: [0, 0, 0], rate: 20 rad/s}\n"
                 "  b: {type: revolute, from: crank, to: rod, axis: y, at: [0.1, 0, 0]}\n"
                 "  c: {type: revolute, from: rod, to: piston, axis: y, at: [0.4, 0, 0]}\n" +
                     slider,
                 "until: 1 s, output_step: 0.05 s, tolerance: 1e-9, solver: " + solver,
                 "forces: {gas: {type: spring_damper, from: ground, to: piston, from_at: [1, 0, 0], stiffness: 500, "
                 "damping: 2}}\n"));
  };
  const auto expected = run("  slide: {type: prismatic, from: ground, to: piston, axis: x, cut: false}\n", "bdf/ggl");
  for (const char* solver : {"bdf/ggl", "radau5/index2_projected", "dopri5/projecting", "dopri5/partitioning"}) {
    CAPTURE(solver);
    for (const char* slider : {"  slide: {type: guide, from: ground, to: piston, x: =s, range: [0, 1]}\n",
                               "  slide: {type: guide, from: piston, to: ground, x: =s, range: [-1, 1]}\n"}) {
      const auto r = run(slider, solver);
      for (std::size_t k = 0; k < expected.sink.time.size(); ++k) {
        CHECK(std::abs(r.at(k, "piston.x") - expected.at(k, "piston.x")) < 2e-6);
        CHECK(std::abs(r.at(k, "c.force") - expected.at(k, "c.force")) < 1e-3 * (1 + expected.at(k, "c.force")));
      }
    }
  }
}

TEST_CASE("A driven guide: the force of its drive is what the way takes") {
  // Uphill at 30 degrees with 2 m/s^2: m (a + g sin 30), the reaction is m g cos 30 across the way.
  const auto r = testing::run_text(model_of("  car: {mass: 3, inertia: [1, 1, 1], at: [0, 0, 0]}\n",
                                            "  track: {type: guide, from: ground, to: car, x: =s*cos(pi/6), z: "
                                            "=s*sin(pi/6), range: [0, 50], drive: \"=1[m/s^2]*t^2\"}\n",
                                            "until: 3 s, output_step: 1 s"),
                                   {.outputs = {"track.position", "track.drive_position", "track.force"}});
  CHECK(r.last("track.position") == doctest::Approx(9.0));
  CHECK(r.last("track.drive_position") == doctest::Approx(3 * (2 + 9.81 / 2)).epsilon(1e-9));
  CHECK(r.last("track.force") == doctest::Approx(3 * 9.81 * std::cos(std::numbers::pi / 6)).epsilon(1e-9));
}

// No joint of the catalogue has a guide with one coordinate that is an angle; a model that is put together otherwise may.
TEST_CASE("A driven guide: the unit of its drive is that of its coordinate") {
  const auto loaded =
      testing::load_text(model_of("  car: {mass: 3, inertia: [1, 1, 1], at: [0, 0, 0]}\n",
                                  "  track: {type: guide, from: ground, to: car, x: =s, range: [0, 50], "
                                  "drive: \"=1[m/s]*t\"}\n",
                                  "until: 1 s"));
  for (const bool is_angle : {false, true}) {
    loaded.model->joints[0].shape.dofs[0].is_guided_angle = is_angle;
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    const auto channels = simulation::all_channels(*prepared.active);
    const auto drive = std::ranges::find(channels, "track.drive_position", &simulation::Channel::name);
    REQUIRE(drive != channels.end());
    CHECK(drive->unit == (is_angle ? "N.m" : "N"));
  }
}

TEST_CASE("A guide on a moving body with a spring on its coordinate: exact derivatives are those of differences") {
  const auto loaded = testing::load_text(model_of(
      "  frame: {mass: 3, inertia: [0.2, 0.2, 0.2], at: [0, 0, 0]}\n"
      "  car: {mass: 1, inertia: [0.1, 0.2, 0.3], at: [0.3, 0, 0], com: [0.35, 0.1, 0]}\n"
      "  tail: {mass: 1, inertia: [0.1, 0.2, 0.3], at: [0.6, 0, 0]}\n",
      "  swing: {type: revolute, from: ground, to: frame, axis: [0, 1, 1], at: [0.1, 0, 0.5]}\n"
      "  track: {type: guide, from: frame, to: car, x: =0.3*cos(s), y: =0.3*sin(s), z: =0.1*s, range: [-9, 9]}\n"
      "  hitch: {type: spherical, from: car, to: tail, at: [0.4, 0, 0]}\n"
      "  rope: {type: rod, from: ground, to: tail, from_at: [1, 1, 1]}\n",
      "until: 1 s", "forces: {spring: {type: spring_damper, joint: track, stiffness: 50, damping: 3}}\n"));
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
}

TEST_CASE("The end of the way ends the run and is named; what came before is kept") {
  const auto loaded =
      testing::load_text(model_of("  car: {mass: 3, inertia: [1, 1, 1], at: [0, 0, 0]}\n",
                                  "  track: {type: guide, from: ground, to: car, x: =s, z: =-s/10, range: [0, 5]}\n",
                                  "until: 20 s, output_step: 0.1 s"));
  simulation::MemorySink sink;
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink, loaded.options);
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(sink.summary.reason.find("end of the curve") != std::string::npos);
  CHECK(sink.summary.reason.find("track") != std::string::npos);
  // Along the slope with g sin: sqrt(2 * length / (g sin)).
  const double length = 5 * std::hypot(1, 0.1), sine = 0.1 / std::hypot(1, 0.1);
  CHECK(sink.time.back() > std::sqrt(2 * length / (9.81 * sine)) - 0.11);
}

TEST_CASE("Guides that close a loop among themselves, or are cut, are refused") {
  const auto message = [](const std::string& joints) {
    try {
      testing::run_text(model_of("  car: {mass: 3, inertia: [1, 1, 1], at: [0, 0, 0]}\n", joints, "until: 1 s"));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message("  a: {type: guide, from: ground, to: car, x: =s, range: [-1, 1]}\n"
                "  b: {type: guide, from: ground, to: car, z: =s, range: [-1, 1]}\n")
            .find("point_on_curve") != std::string::npos);
  CHECK(message("  a: {type: guide, from: ground, to: car, x: =s, range: [-1, 1], axes: round}\n").find("follow") !=
        std::string::npos);
}

// Without drag the train keeps its energy: that of each car is m (v^2 / 2 + g z) plus the spin that the track gives it, and the hitches.
TEST_CASE("The coaster runs through its loop, and its energy balance closes") {
  const auto r = testing::run("mechanisms/coaster", {.tolerance = 1e-8});
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  CHECK(r.sink.summary.energy_closure < 1e-6);
  double highest = 0, upside_down = 0;
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    if (r.sink.time[k] < 6 || r.sink.time[k] > 9) continue;
    highest = std::max(highest, r.at(k, "height"));
    upside_down = std::max(upside_down, r.at(k, "seat_force"));
  }
  CHECK(highest == doctest::Approx(18.5).epsilon(0.01));  // the point [60.5, 2.5, 18.5] of the track
  CHECK(upside_down > 2 * 900 * 9.81);                    // at the bottom: more than twice its weight
}
