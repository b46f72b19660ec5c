// References: the documented formula by hand, differences, energy balance.
#include "skyhook/element/force/bump_stop.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

BumpStop stop(double exponent) {
  BumpStop s;
  s.from = marker(0, {0, 0, 0});
  s.to = marker(1, {0, 0, 0.5});
  s.engage_length = 0.4;
  s.engage_length_max = 0.9;
  s.stiffness = 1e5;
  s.depth = 0.02;
  s.exponent = exponent;
  return s;
}

Relative<double> at_length(double length, double rate) {
  return {0.0, {0, 0, length}, Mat3d::identity(), {0, 0, rate}, {}};
}

double push(const BumpStop& s, double length, double rate) {
  return wrench_of(*force_of(s).wrench, at_length(length, rate)).f.z;
}

}  // namespace

TEST_CASE("Between its limits a stop is silent; beyond it pushes back") {
  const BumpStop s = stop(1.5);
  CHECK(push(s, 0.5, -3.0) == 0.0);
  CHECK(push(s, 0.38, 0.0) == doctest::Approx(1e5 * 0.02));  // compressed by `depth`
  CHECK(push(s, 0.92, 0.0) == doctest::Approx(-1e5 * 0.02));
  CHECK(push(s, 0.32, 0.0) == doctest::Approx(1e5 * 0.02 * std::pow(4.0, 1.5)));
}

TEST_CASE("With exponent 1 a stop is a linear spring") {
  CHECK(push(stop(1.0), 0.37, 0.0) == doctest::Approx(1e5 * 0.03));
}

TEST_CASE("Above exponent 1 the force starts with slope 0") {
  const double small = 1e-8;  // slope there: 1.5 k sqrt(small/depth) = 1e-3 k
  CHECK(push(stop(1.5), 0.4 - small, 0.0) / small < 2e-3 * 1e5);
}

TEST_CASE("Damping raises the force in compression, lowers it in return, and never pulls") {
  BumpStop s = stop(1.5);
  s.damping = 0.8;
  const double still = push(s, 0.38, 0.0);
  CHECK(push(s, 0.38, -1.0) == doctest::Approx(still * (0.8 + std::sqrt(1.64))));
  for (const double rate : {0.5, 5.0, 500.0, 5e9}) {
    CHECK(push(s, 0.38, rate) > 0.0);
    CHECK(push(s, 0.38, rate) < still);
    CHECK(push(s, 0.92, -rate) < 0.0);
  }
}

TEST_CASE("The law of a stop has exact derivatives; without damping it conserves energy") {
  for (const double exponent : {1.0, 1.5, 3.0}) {
    BumpStop s = stop(exponent);
    s.engage_length = 0.8;  // most random lengths then touch one of the two
    // p^3 has f'''/f' = 2/p^2: nearer than 4 cm to the touch the error of the differences nears their tolerance.
    const auto off_touch = [](const Relative<double>& m) {
      return std::abs(norm(m.r) - 0.8) > 0.04 && std::abs(norm(m.r) - 0.9) > 0.04;
    };
    check_law(*force_of(s).wrench, true, off_touch);
    s.damping = 0.4;
    check_law(*force_of(s).wrench, false, off_touch);
  }
}

TEST_CASE("Stops switch where a compression is zero, and have exact derivatives in each mode and beyond") {
  for (const double exponent : {1.0, 1.5, 3.0}) {
    BumpStop s = stop(exponent);
    s.engage_length = 0.8, s.damping = 0.3;
    const auto off_touch = [](const Relative<double>& m) {
      return std::abs(norm(m.r) - 0.8) > 0.04 && std::abs(norm(m.r) - 0.9) > 0.04;
    };
    check_modes(*force_of(s).wrench, {1, 2, 3}, off_touch);
  }
  const model::Contribution line = force_of(stop(1.5));
  const auto& switching = dynamic_cast<const model::Switching&>(*line.wrench);
  const auto in_mode = [](Relative<double> m, int mode) { return m.set.mode = mode, m; };
  CHECK(switching.next_mode(in_mode(at_length(0.4 + 1e-15, -1), 1)) == 2);
  CHECK(switching.next_mode(in_mode(at_length(0.9 - 1e-15, 1), 1)) == 3);
  CHECK(switching.next_mode(in_mode(at_length(0.4, 1), 2)) == 1);
  CHECK(switching.next_mode(in_mode(at_length(0.9, -1), 3)) == 1);
  CHECK(switching.watch(in_mode(at_length(0.42, -1), 1)) == doctest::Approx(0.02));
  CHECK(switching.watch(in_mode(at_length(0.42, -1), 2)) == doctest::Approx(-0.02));
  CHECK(wrench_of(*line.wrench, in_mode(at_length(0.38, 0), 1)).f.z == 0.0);
  CHECK(wrench_of(*line.wrench, in_mode(at_length(0.42, 0), 2)).f.z == doctest::Approx(-1e5 * 0.02));
  CHECK(switching.event(1, 2) == "touches the low stop");
  CHECK(switching.event(3, 1) == "leaves the high stop");
  CHECK_FALSE(line.events);  // unless they are asked for
  BumpStop loud = stop(1.5);
  loud.events = true;
  CHECK(force_of(loud).events);
}

TEST_CASE("Stops on a coordinate switch as well; where they meet they hand over to each other") {
  BumpStop s;
  s.joint = slider;
  s.engage_length = 0.2, s.engage_length_max = 0.2;
  s.stiffness = 1000;
  s.exponent = 1;
  const model::Contribution force = force_of(s, three_joints());
  const auto& switching = dynamic_cast<const model::SwitchingCoordinate&>(*force.coordinate);
  CHECK(switching.first_mode({0.1, 0.0}) == 2);
  CHECK(switching.first_mode({0.3, 0.0}) == 3);
  CHECK(switching.next_mode({0.2, 1.0, 0.0, {.mode = 2}}) == 3);
  CHECK(switching.next_mode({0.2, -1.0, 0.0, {.mode = 3}}) == 2);
  CHECK(switching.watch({0.1, 1.0, 0.0, {.mode = 2}}) == doctest::Approx(0.1));
  CHECK(switching.event(2, 3) == "touches the high stop");
  CHECK(force.coordinate->force(0.21, 0, 0, {.mode = 2}) == doctest::Approx(-10));
  check_coordinate_law(*force.coordinate, 0.21, 0.3, true, {.mode = 2});
}

TEST_CASE("A stop of length zero has no force and no NaN") { check_zero_length(*force_of(stop(1.5)).wrench); }

TEST_CASE("On an angle a stop takes the angular fields") {
  BumpStop s;
  s.joint = hinge;
  s.engage_angle = -0.5;
  s.angular_stiffness = 1000;
  s.angular_depth = 0.1;
  const model::Contribution force = force_of(s, three_joints());
  CHECK(force.coordinate->force(-0.6, 0, 0) == doctest::Approx(100.0));  // drives the angle up again
  CHECK(force.coordinate->force(5.0, 0, 0) == 0.0);
  check_coordinate_law(*force.coordinate, -0.7, 0.3, true);
}

TEST_CASE("Stops refuse contradictions") {
  BumpStop s = stop(1.5);
  s.engage_length_max = 0.3;
  CHECK(refused_field(s) == "engage_length");
  s.engage_length.reset();
  s.engage_length_max.reset();
  CHECK(refused_field(s) == "engage_length");
  s = stop(1.5);
  s.engage_angle = 1;
  CHECK(refused_field(s) == "engage_angle");
}
