// References: the tangent of a line and a circle in closed form; a search over all points of the wheel's surface; symmetry; Newton's method from
// disturbed starts.
#include "skyhook/element/rail/contact_geometry.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace skyhook;
using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

const WheelsetOnTrack& s1002_on_uic60() {
  static const WheelsetOnTrack w(built_in("s1002"), built_in("uic60_1in40"), {});
  return w;
}

// Least gap of a left wheel over its whole surface, by points, with its axle at that height.
double least_gap(const RailPair& pair, const AxlePlace& place, double height) {
  const AxleTurn t(place);
  double least = 1;
  for (double s = pair.wheel().first(); s < pair.wheel().last(); s += 2e-5) {
    const ProfilePoint<double> p = pair.wheel().at(s);
    const double rho = pair.radius() - p.z;
    for (double phi = -0.1; phi < 0.1; phi += 5e-4) {
      const double x = rho * std::sin(phi), y = pair.half() + p.y, z = -rho * std::cos(phi);
      const double across = t.cr * y - t.sr * z;
      const double yt = place.y + t.sy * x + t.cy * across - pair.rail_y(), zt = height + t.sr * y + t.cr * z;
      if (yt < pair.rail().first_y() || yt > pair.rail().last_y() || zt > 2e-4) continue;
      least = std::min(least, zt - pair.rail().height(yt));
    }
  }
  return least;
}

}  // namespace

TEST_CASE("A cone on a round rail touches where a line touches a circle, at any shift and roll") {
  const double slope = 0.05, R = 0.3, d = std::atan(slope);
  const RailPair pair(conical(slope), circular(R, slope), 0.75, 0.46, 0.75);
  for (const double y : {-0.01, 0.0, 0.004}) {
    for (const double roll : {-0.01, 0.0, 0.006}) {
      const RailContact c = pair.find({y, roll, 0}).contact();
      // The line of the tread in the plane of the axle: through the tape circle, at the angle d + roll.
      const double a = d + roll, cy = 0.75 + R * std::sin(d), cz = -R * std::cos(d);  // centre of the circle
      const double py = y + 0.75 * std::cos(roll) + 0.46 * std::sin(roll),
                   pz = 0.75 * std::sin(roll) - 0.46 * std::cos(roll);
      // distance of the centre from the line = R
      const double height = R / std::cos(a) + cz + (py - cy) * std::tan(a) - pz;
      CHECK(c.height == Approx(height).epsilon(1e-13));
      CHECK(c.angle == Approx(a).epsilon(1e-12));
      CHECK(c.y == Approx(cy - R * std::sin(a)).epsilon(1e-12));
      CHECK(c.rail_curvature == Approx(1 / R));
      CHECK(c.wheel_curvature == Approx(0).scale(1));
      CHECK(c.rolling_curvature == Approx(std::cos(d) / c.radius));
    }
  }
}

TEST_CASE(
    "A wheelset of equal cones: the difference of the radii is twice the slope times the shift, but for its roll") {
  RailMeasures m;
  const double slope = 0.025;
  const WheelsetOnTrack w(conical(slope), circular(0.3, slope), m);
  const RailContacts level = w.left().find({3e-3, 0, 0}), other = w.right().find({-3e-3, 0, 0});
  CHECK(level.contact().radius - other.contact().radius == Approx(2 * slope * 3e-3).epsilon(1e-11));
  const auto both = w.find(3e-3);
  REQUIRE(both);
  CHECK(both->left.contact().height == Approx(both->right.contact().height).epsilon(1e-13));
  CHECK(both->roll > 0);  // the left side goes up
  // With the roll the contacts move on the heads by R roll and the wheelset by r0 roll: in first order
  //   delta_r = 2 slope (y + (R + r0) roll),   2 b roll = delta_r - 2 slope R roll + ... ; a few percent more
  CHECK(both->delta_r == Approx(2 * slope * (3e-3 + (0.3 + 0.46) * both->roll)).epsilon(1e-4));
}

TEST_CASE("No point of the wheel is in the rail and one is on it, with yaw, on tread and flange") {
  const WheelsetOnTrack& w = s1002_on_uic60();
  for (const AxlePlace& place :
       {AxlePlace{0.002, 0.0001, 0.005}, AxlePlace{0.006, 0.0006, -0.02}, AxlePlace{0.0078, 0.008, 0.02}}) {
    const RailContact c = w.left().find(place).contact();
    CAPTURE(place.y);
    // Points are 20 um apart along the profile and 0.23 mm around the wheel: both miss the lowest one by less than 0.1 um (l^2/8R).
    const double gap = least_gap(w.left(), place, c.height);
    CHECK(gap > -1e-9);
    CHECK(gap < 1e-7);
  }
}

TEST_CASE("Contacts are found again from a hundred disturbed starts") {
  const WheelsetOnTrack& w = s1002_on_uic60();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> by(-0.3e-3, 0.3e-3);
  for (const double y : {-0.006, 0.0015, 0.0075}) {
    const AxlePlace place{y, 0.1 * y, 0.01};
    const RailContact c = w.left().find(place).contact();
    for (int k = 0; k < 100; ++k) {
      const auto again = w.left().refine(place, c.s + by(random), c.sigma + by(random));
      REQUIRE(again);
      CHECK(std::abs(again->s - c.s) < 1e-12);
      CHECK(std::abs(again->sigma - c.sigma) < 1e-12);
      CHECK(std::abs(again->height - c.height) < 1e-13);
    }
  }
}

TEST_CASE("Left and right are mirror images, and both wheels touch") {
  const WheelsetOnTrack& w = s1002_on_uic60();
  for (const double y : {0.001, 0.003, 0.0055, 0.007}) {
    const auto a = w.find(y, 0.004), b = w.find(-y, -0.004);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(a->roll == Approx(-b->roll).epsilon(1e-9));
    CHECK(a->delta_r == Approx(-b->delta_r).epsilon(1e-9));
    CHECK(a->left.contact().x == Approx(b->right.contact().x));
    CHECK(a->left.contact().height == Approx(a->right.contact().height).epsilon(1e-13));
  }
  const auto middle = w.find(0);
  CHECK(middle->roll == 0.0);
  CHECK(middle->delta_r == 0.0);
}

TEST_CASE("Where the contact jumps the rival takes over, and heights have no jump") {
  const WheelsetOnTrack& w = s1002_on_uic60();
  double low = 4.5e-3, high = 5.2e-3;  // tread to flange root
  for (int k = 0; k < 40; ++k) {
    const double y = (low + high) / 2;
    (w.find(y)->left.contact().wheel.y > -22e-3 ? low : high) = y;
  }
  const auto a = w.find(low), b = w.find(high);
  CHECK(a->left.contact().wheel.y - b->left.contact().wheel.y > 8e-3);
  CHECK(*a->left.rival_gap() < 1e-12);
  CHECK(*b->left.rival_gap() < 1e-12);
  CHECK(a->height == Approx(b->height).epsilon(1e-12));
}

TEST_CASE("A wheel beside its rail is told") {
  CHECK(WheelsetOnTrack(built_in("s1002"), built_in("uic60"), {.gauge = 1.65}).left().find({}).is_between);
  CHECK_FALSE(WheelsetOnTrack(built_in("s1002"), built_in("uic60"), {.gauge = 1.65}).find(0));
  CHECK_FALSE(s1002_on_uic60().find(0.2));
}
