// Stops between a bogie and its body that a curve reaches. References: where bogies stand on a circle of radius R whose chord is the distance of the outermost, by hand: turned by asin(x/R), off the
// chord by sqrt(R^2 - x^2) - sqrt(R^2 - b^2); and the way that this leaves stops. Each case has a radius 1 % larger than that at which the stop is reached, of which nothing may be said, and one 1 % smaller.
#include <fmt/format.h>

#include <cmath>

#include "program.testing.h"
#include "refusal.testing.h"
#include "skyhook/analysis/bogies.h"

using namespace skyhook;

namespace {

constexpr double x = 9.5;  // m, half of the distance of the coach's bogies

struct Case {
  std::string turn, parts;  // what is added to the coach
  double radius;            // m, at which its stop is reached
  std::string said;
};

std::string checked(const testing::Place& at, const Case& of, double radius) {
  const std::string folder = std::string(SKYHOOK_SOURCE_DIR) + "/models/rail/";
  at.write("m.yaml",
           fmt::format(
               "skyhook: 1\ninclude: {}manchester/vehicle.yaml\nparameters: {{speed: 3 m/s}}\ntracks:\n  line: {{rail: "
               "uic60, inclination: \"1:40\", layout: [{{type: straight, length: 20 m}}, "
               "{{type: transition, length: 30 m}}, {{type: curve, length: 50 m, radius: {} m, turn: {}}}]}}\nuse:\n  "
               "coach: {{template: manchester, x: 0 m}}\n{}\nexperiments: {{run: {{until: 1 s}}}}\n",
               folder, radius, of.turn, of.parts));
  const testing::Done done = at.run("check m.yaml");
  CHECK_MESSAGE(done.code == 0, done.err);
  return done.out + done.err;
}

void check(const Case& of) {
  const testing::Place at;
  const std::string wide = checked(at, of, 1.01 * of.radius), tight = checked(at, of, of.radius / 1.01);
  CHECK_MESSAGE(wide.find("tight_curve") == std::string::npos, wide);
  CHECK_MESSAGE(testing::has(tight, of.said), tight);
  CHECK_MESSAGE(testing::has(tight, fmt::format("as in a radius of {:.4g} m", of.radius)), tight);
  CHECK_MESSAGE(testing::has(tight, fmt::format("Give the curve a radius of {:.4g} m or more, or \"stop\" more room.",
                                                of.radius)),
                tight);
  CHECK(testing::has(tight, "[tight_curve]"));
}

double degrees(double angle) { return angle * 3.14159265358979 / 180; }

}  // namespace

// From the car 0.3 m ahead of the bogie's middle, 1 m to the right, back to the bogie. Turned to the left by u the point of the bogie is at (sin u, -cos u), and the length (0.3 - sin u, 1 - cos u).
TEST_CASE(
    "Stops in curves: a yaw stop of a bogie that the curve presses in is named, with the radius at which it touches") {
  constexpr double R = 100, sine = x / R;
  const double length = std::hypot(0.3 - sine, 1 - std::sqrt(1 - sine * sine));
  const std::string stop = fmt::format(
      "forces:\n  stop: {{type: bump_stop, from: coach.car, to: coach.front.frame, from_at: [9.8, -1, 0.6], to_at: "
      "[9.5, -1, 0.6], engage_length: {:.12g}, stiffness: 1 MN/m}}",
      length);
  check({"left", stop, R,
         "\"coach.front.frame\" has not the room to stand in it: to \"coach.car\" it must be turned by 5.51 deg, but "
         "bump_stop \"stop\" touches the low stop where it is turned by 5.45 deg"});
  const testing::Place at;
  CHECK(checked(at, {"right", stop, R, ""}, 40).find("tight_curve") == std::string::npos);  // there it is let go
}

// An angle counts from the reference of its joint, about its axis: with -z and 1 deg at design the left curve turns it down from 1 deg, by 5 deg to -4 deg.
TEST_CASE("Stops in curves: stops on the joint of a bogie") {
  check(
      {"left",
       R"(joints: {pivot: {type: revolute, from: coach.car, to: coach.front.frame, at: [9.5, 0, 0.6], axis: [0, 0, -1], reference: 1 deg}}
forces:
  stop: {type: bump_stop, joint: pivot, engage_angle: -4 deg, engage_angle_max: 6.5 deg, angular_stiffness: 1 MN.m/rad})",
       x / std::sin(degrees(5)), "bump_stop \"stop\" touches the low stop where it is turned by 5 deg"});
}

TEST_CASE("Stops in curves: the table of a spring that ends, unless it says what is meant beyond") {
  const auto spring = [](const char* beyond) {
    return fmt::format(
        "forces:\n  stop: {{type: spring_damper, from: coach.car, to: coach.rear.frame, about: z, moment: {{table: "
        "[[-3, -9], [3, 9]], units: [deg, kN.m]{}}}}}",
        beyond);
  };
  const double radius = x / std::sin(degrees(3));
  check({"left", spring(""), radius,
         "\"coach.rear.frame\" has not the room to stand in it: to \"coach.car\" it must be turned by 3.03 deg, but "
         "spring_damper \"stop\" leaves its table moment where it is turned by 3 deg"});
  check({"right", spring(", beyond: refuse"), radius, "leaves its table moment where it is turned by 3 deg"});
  const testing::Place at;
  CHECK(checked(at, {"left", spring(", beyond: straight"), radius, ""}, 100).find("tight_curve") == std::string::npos);
}

// The middle one of three bogies is not turned but stands off the chord of the others: in a curve to the left to the right of it.
TEST_CASE("Stops in curves: where bogies stand on a circle") {
  const analysis::Bogie middle{.ahead = 0, .half_chord = 12}, front{.ahead = 12, .half_chord = 12};
  CHECK(middle.turn(0.01) == 0);
  CHECK(middle.shift(0.01) == doctest::Approx(-(100 - std::sqrt(1e4 - 144))).epsilon(1e-12));
  CHECK(middle.shift(-0.01) == doctest::Approx(100 - std::sqrt(1e4 - 144)).epsilon(1e-12));
  CHECK(front.shift(0.01) == 0);
  CHECK(front.turn(0.01) == doctest::Approx(std::asin(0.12)).epsilon(1e-12));
  CHECK(middle.shift(0) == 0);
}

TEST_CASE("Stops in curves: what a bogie is, where axles are carried by arms too") {
  const auto loaded = testing::load("rail/gz18", {.experiment = "ride"});
  const auto bogies = analysis::bogies_of(*loaded.model);
  REQUIRE(bogies.size() == 2);
  const auto& bodies = loaded.model->bodies;
  for (const analysis::Bogie& bogie : bogies) {
    CHECK(bodies[static_cast<std::size_t>(bogie.above)].name == "metro.car");
    CHECK(bogie.members.size() == 7);  // frame, two wheelsets, four arms
    CHECK(bogie.base == doctest::Approx(2.5));
    CHECK(std::abs(bogie.ahead) == doctest::Approx(7.85));
  }
}
