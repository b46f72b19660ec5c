// References: the law by hand, differences, balance of energy with the heat of the slider by hand, the closed loop of hysteresis.
#include "skyhook/element/force/leaf_spring.h"

#include <array>
#include <cmath>
#include <numbers>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

// `to` hangs 0.2 below `from`, and beside it.
LeafSpring leaf() {
  LeafSpring s;
  s.from = marker(0, {0, 0, 0.7});
  s.to = marker(1, {0.3, -0.1, 0.5});
  s.stiffness = 1000;
  return s;
}

LeafSpring rubbing() {
  LeafSpring s = leaf();
  s.damping = 20, s.friction = 30, s.friction_ratio = 0.1, s.friction_travel = 0.01;
  return s;
}

}  // namespace

TEST_CASE("A leaf spring acts along its axis through the point of `to`, whatever is beside it") {
  LeafSpring s = leaf();
  s.free_length = 0.25, s.preload = -40, s.damping = 5;
  const model::Contribution force = force_of(s);
  const Relative<double> m{0, {0.9, 0.4, -0.2}, Mat3d::identity(), {3, 2, 0.5}, {1, 1, 1}};
  const Wrench<double> w = wrench_of(*force.wrench, m);
  // length 0.2, growing at -0.5: preload - 1000 * 0.05 - 5 * 0.5, a compression that pushes `to` down
  CHECK(norm(w.f - Vec3d{0, 0, -92.5}) < 1e-12);
  CHECK(norm(w.n) == 0);
  std::vector<double> out;
  force.wrench->measure(m, w, out);
  REQUIRE(out.size() == 3);
  CHECK(out[0] == doctest::Approx(-92.5));
  CHECK(out[1] == doctest::Approx(0.2));
  CHECK(out[2] == doctest::Approx(-0.5));
}

TEST_CASE("The stop adds to the leaves below its length; force and energy are continuous there") {
  LeafSpring s = leaf();
  s.stop_length = 0.15, s.stop_stiffness = 5e4;
  const model::Contribution force = force_of(s);
  const auto at = [&](double length) { return Relative<double>{0, {0, 0, -length}, Mat3d::identity(), {}, {}}; };
  const auto pull = [&](double length) { return wrench_of(*force.wrench, at(length)).f.z; };
  CHECK(pull(0.16) == doctest::Approx(-1000 * 0.04));
  CHECK(pull(0.14) == doctest::Approx(-1000 * 0.06 - 5e4 * 0.01));
  CHECK(std::abs(pull(0.15 + 1e-9) - pull(0.15 - 1e-9)) < 1e-3);
  CHECK(force.wrench->energy(at(0.14)) == doctest::Approx(0.5 * 1000 * 0.06 * 0.06 + 0.5 * 5e4 * 0.01 * 0.01));
}

TEST_CASE("Without friction a leaf spring is exact in its derivatives and keeps energy, as a curve too") {
  LeafSpring s = leaf();
  s.along = {0.2, -0.3, 1};
  check_law(*force_of(s).wrench, true);
  s.stiffness = 0, s.force = table({-0.5, 0, 0.4}, {-900, 0, 100});
  check_law(*force_of(s).wrench, true);
}

TEST_CASE("With friction: force and rate by hand, exact derivatives") {
  const model::Contribution force = force_of(rubbing());
  REQUIRE(force.inner);
  REQUIRE(force.axis);
  CHECK(norm(force.axis->axis - Vec3d{0, 0, -1}) < 1e-15);
  const std::array c{0.004};
  std::array<double, 1> rate{};
  // deflection -0.05: leaves -50, most 30 + 5 of friction, of which 0.4
  CHECK(force.inner->evaluate({0.15, -0.3}, c, rate) == doctest::Approx(-50 - 6 + 35 * 0.4));
  CHECK(rate[0] == doctest::Approx(-0.3 - 0.3 * 0.4));
  check_state_law(*force.inner, {0.15, -0.3, 0.2}, {0.004});
  check_state_law(*force.inner, {0.25, 0.3, 0.2}, {-0.006});
}

TEST_CASE("What goes into rubbing leaves is stored, or heats the damper and the slider") {
  LeafSpring s = rubbing();
  s.friction_ratio = 0;
  const model::Contribution force = force_of(s);
  const double x = 0.17, v = -0.4, h = 1e-6;
  const std::array c{0.003};
  std::array<double, 1> rate{};
  const double pull = force.inner->evaluate({x, v}, c, rate);
  const double heat = 20 * v * v + 30 * std::abs(v) * (0.003 / 0.01) * (0.003 / 0.01);
  const auto stored = [&](double t) { return force.inner->energy(x + t * v, std::array{c[0] + t * rate[0]}); };
  CHECK(pull * v == doctest::Approx((stored(h) - stored(-h)) / (2 * h) + heat).epsilon(1e-8));
}

// The slider depends on the way alone, not on the speed: s = u tanh(A/u) at the ends is the fixed point of a period, and the loss is
// the integral of R s / u over the loop.
TEST_CASE("In a steady oscillation the loop of hysteresis is the closed form of Dahl's law") {
  LeafSpring s = rubbing();
  s.damping = 0, s.friction_ratio = 0, s.stiffness = 0;
  const model::Contribution force = force_of(s);
  const double u = 0.01, A = 0.015;
  const int steps = 4000;
  double c = u * std::tanh(A / u), lost = 0;
  // from x = +A to -A and back, by midpoints: the error is O(1 / steps^2)
  for (const double direction : {-1.0, 1.0}) {
    for (int i = 0; i < steps; ++i) {
      const double way = 2 * A / steps;
      std::array<double, 1> rate{};
      force.inner->evaluate({0.2, direction}, std::array{c}, rate);
      const std::array half{c + 0.5 * way * rate[0]};
      lost += way * direction * force.inner->evaluate({0.2, direction}, half, rate);
      c += way * rate[0];
    }
    CHECK(c == doctest::Approx(direction * u * std::tanh(A / u)).epsilon(1e-6));
  }
  CHECK(lost == doctest::Approx(4 * 30 * (A - u * std::tanh(A / u))).epsilon(1e-6));
}

TEST_CASE("A leaf spring refuses halves") {
  LeafSpring s = leaf();
  s.friction = 10;
  CHECK(refused_field(s) == "friction_travel");
  s = leaf(), s.friction_travel = 0.01;
  CHECK(refused_field(s) == "friction_travel");
  s = leaf(), s.stop_length = 0.1;
  CHECK(refused_field(s) == "stop_length");
  s = leaf(), s.force = table({0, 1}, {0, 1});
  CHECK(refused_field(s) == "force");
  s = leaf(), s.along = {};
  CHECK(refused_field(s) == "along");
}
