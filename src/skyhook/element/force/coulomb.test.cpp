// References: the documented formula by hand, differences.
#include "skyhook/element/force/coulomb.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

Coulomb on_slider() {
  Coulomb c;
  c.joint = slider;
  c.sliding_force = 50;
  c.slip_speed = 0.02;
  return c;
}

}  // namespace

TEST_CASE("Dry friction acts against the motion with its sliding force, and creeps below slip_speed") {
  const model::Contribution f = force_of(on_slider(), three_joints());
  CHECK(f.coordinate->force(0.3, 1.0, 0) == doctest::Approx(-50));
  CHECK(f.coordinate->force(0.3, -1.0, 0) == doctest::Approx(50));
  CHECK(f.coordinate->force(0.3, 0.02, 0) == doctest::Approx(-50 * std::tanh(1.0)));
  CHECK(f.coordinate->force(0.3, 0.0, 0) == 0.0);
  CHECK(f.coordinate->energy(0.3) == 0.0);
}

TEST_CASE("Near standstill Stribeck's rise comes on top") {
  Coulomb c = on_slider();
  c.static_force = 80;
  c.stribeck_speed = 0.5;
  const model::Contribution f = force_of(c, three_joints());
  CHECK(f.coordinate->force(0, -0.5, 0) == doctest::Approx(50 + 30 / std::exp(1.0)));
  CHECK(f.coordinate->force(0, -5.0, 0) == doctest::Approx(50));
  CHECK(f.coordinate->force(0, -0.1, 0) == doctest::Approx((50 + 30 * std::exp(-0.04)) * std::tanh(5.0)));
}

TEST_CASE("Dry friction has exact derivatives, along a line too, and always takes energy") {
  Coulomb c;
  c.from = marker(0, {0, 0, 0});
  c.to = marker(1, {0, 0, 0.5});
  c.sliding_force = 5, c.static_force = 7, c.slip_speed = 0.3, c.stribeck_speed = 0.8;
  const model::Contribution line = force_of(c);
  check_law(*line.wrench, false);
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) CHECK(power(*line.wrench, random_motion(random)) <= 0.0);
  check_zero_length(*line.wrench);
  check_coordinate_law(*force_of(on_slider(), three_joints()).coordinate, 0.2, 0.013, false);
}

TEST_CASE("On an angle friction takes the fields of moments; it is not smaller at rest than in motion") {
  Coulomb c;
  c.joint = hinge;
  c.sliding_moment = 3;
  CHECK(force_of(c, three_joints()).coordinate->force(0, 9, 0) == doctest::Approx(-3));
  c.static_moment = 2;
  CHECK(refused_field(c, three_joints()) == "static_moment");
  c.sliding_force = 1;
  CHECK(refused_field(c, three_joints()) == "sliding_force");
  Coulomb slides = on_slider();
  slides.static_moment = 1;
  CHECK(refused_field(slides, three_joints()) == "static_moment");
}
