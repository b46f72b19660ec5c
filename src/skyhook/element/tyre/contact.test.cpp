// References: the contact point as it is defined (in the road, in the wheel's plane, nearest to the centre), and its velocity by
// differences along a motion.
#include "skyhook/element/tyre/contact.h"

#include <cmath>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

// A plane through (0, 0, h) with slopes, going up.
struct Plane {
  double slope_x, slope_y, at_origin, rate;
  tyre::Below<double> below(const Relative<double>& m, double t) const {
    const Vec3d normal = normalized({-slope_x, -slope_y, 1.0});
    return {at_origin + slope_x * m.r.x + slope_y * m.r.y + rate * t, normal, rate, 1.0};
  }
};

// The wheel at time t of a motion with constant v and w.
Relative<double> at(const Relative<double>& m, double t) {
  Relative<double> moved = m;
  moved.r += t * m.v;
  moved.R = exponential(t * m.w) * m.R;
  return moved;
}

}  // namespace

TEST_CASE("The contact point lies in the road and in the wheel's plane, nearest to the centre") {
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    Relative<double> m = random_motion(random);
    m.R = exponential(random_vector(random, 0.5));
    const Plane plane{0.1 * std::sin(k), 0.2 * std::cos(3 * k), -0.4, 0.0};
    const auto road = plane.below(m, 0);
    const auto c = tyre::contact_of(m, road);
    REQUIRE(c.is_upright);
    const Vec3d point = m.r + c.arm, axis = m.R.column(1);
    CHECK(std::abs(dot(road.normal, point - Vec3d{m.r.x, m.r.y, road.height})) < 1e-12);
    CHECK(std::abs(dot(axis, c.arm)) < 1e-12);
    CHECK(std::abs(dot(c.ahead, c.arm)) < 1e-12);  // else another point of that line were nearer
    CHECK(norm(c.arm) == doctest::Approx(std::abs(c.radius)));
    CHECK(std::abs(dot(c.ahead, road.normal)) < 1e-12);
    CHECK(norm(cross(c.ahead, c.left) - c.up) < 1e-12);
    CHECK(c.left.y > 0);
    CHECK(std::sin(c.camber) == doctest::Approx(dot(axis, road.normal)));
  }
}

TEST_CASE("Camber is positive where the wheel's top leans to the right") {
  Relative<double> m{};
  m.r = {0, 0, 0.3};
  m.R = exponential({0.1, 0, 0});  // about x ahead: the top goes to -y
  const auto c = tyre::contact_of(m, Plane{0, 0, 0, 0}.below(m, 0));
  CHECK(c.camber == doctest::Approx(0.1));
  CHECK((m.R * Vec3d{0, 0, 1}).y < 0);
  CHECK(c.radius == doctest::Approx(0.3 / std::cos(0.1)));
}

TEST_CASE(
    "Speed, sliding and deflection rate are those of the contact point: differences along a motion on a moving slope") {
  std::mt19937 random(5);
  for (int k = 0; k < 50; ++k) {
    Relative<double> m = random_motion(random);
    m.R = exponential(random_vector(random, 0.5));
    const Plane plane{0.1 * std::sin(k), 0.2 * std::cos(3 * k), -0.4, 0.3};
    const auto here = tyre::contact_of(m, plane.below(m, 0));
    // The spin does not move the contact point, and turns nothing that counts.
    constexpr double h = 1e-5;
    const auto point = [&](double t) {
      const Relative<double> moved = at(m, t);
      return moved.r + tyre::contact_of(moved, plane.below(moved, t)).arm;
    };
    const auto radius = [&](double t) {
      const Relative<double> moved = at(m, t);
      return tyre::contact_of(moved, plane.below(moved, t)).radius;
    };
    const Vec3d velocity = (1 / (2 * h)) * (point(h) - point(-h));
    CHECK(here.deflection_rate == doctest::Approx(-(radius(h) - radius(-h)) / (2 * h)).epsilon(1e-6));
    CHECK(dot(velocity, here.left) - 0.3 * dot(Vec3d{0, 0, 1}, here.left) ==
          doctest::Approx(here.slide_y - 0.3 * dot(Vec3d{0, 0, 1}, here.left)).epsilon(1e-6));
    CHECK(dot(velocity, here.up) == doctest::Approx(0.3 * here.up.z).epsilon(1e-6));
  }
}

TEST_CASE("A wheel that lies touches nothing") {
  Relative<double> m{};
  m.r = {0, 0, 0.1};
  m.R = exponential({1.5, 0, 0});
  CHECK_FALSE(tyre::contact_of(m, Plane{0, 0, 0, 0}.below(m, 0)).is_upright);
}
