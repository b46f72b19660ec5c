// References: balance of forces; Hertz's ellipse, where profiles are circles; directions of sliding; symmetry; the rows of the Manchester benchmark stand in
// analysis/contact_cases.test.cpp.
#include "skyhook/element/rail/loaded_contact.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/rail/contact_gap.h"

using namespace skyhook;
using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

const RailPair& cone_on_circle() {
  static const RailPair pair(conical(0.05), circular(0.3, 0.05), 0.75, 0.46, 0.75);
  return pair;
}
LoadedContact loaded(const AxlePlace& place, const WheelMotion& motion, LoadedOptions options) {
  const auto law = make_creep_law(options.creep);
  return load_contact(cone_on_circle(), place, cone_on_circle().find(place), motion, options, *law);
}

}  // namespace

TEST_CASE("The vertical part of normal force and friction is the load") {
  for (const double yaw : {-0.01, 0.0, 0.02}) {
    const LoadedContact c = loaded({0.002, 0, yaw}, {.speed = 10}, {.load = 5e4});
    CHECK(c.vertical == Approx(5e4).epsilon(1e-6));
    CHECK(c.normal * std::cos(c.rigid.angle) + c.fy * std::sin(c.rigid.angle) == Approx(5e4).epsilon(1e-6));
    CHECK(std::hypot(c.fx, c.fy) <= 0.3 * c.normal * (1 + 1e-9));
    CHECK(c.height < c.rigid.height);
  }
}

TEST_CASE("Profiles that are circles: the half-space gives Hertz's patch, and the same forces where all slides") {
  const WheelMotion sliding{.speed = 10, .pitch_rate = 10 / 0.46 * 0.97, .lateral = 0.2};
  const LoadedContact a = loaded({}, sliding, {}), b = loaded({}, sliding, {.patch = "half_space", .cells = 51});
  CHECK(b.approach == Approx(a.approach).epsilon(3e-3));
  CHECK(b.area == Approx(a.area).epsilon(0.03));
  CHECK(b.pressure == Approx(a.pressure).epsilon(0.01));
  CHECK(std::abs(b.centre.rail.y - a.rigid.rail.y) < 2e-5);
  CHECK(b.fx == Approx(a.fx).epsilon(0.01));
  CHECK(b.fy == Approx(a.fy).epsilon(0.01));
  // The wheel turns too slowly and slides ahead and to the left: it is pulled back and to the right.
  CHECK(a.creep_x > 0);
  CHECK(a.fx < 0);
  CHECK(a.fy < 0);
  CHECK(a.fx / a.fy == Approx(a.creep_x / a.creep_y).epsilon(0.02));
}

TEST_CASE("Rolling freely a cone has spin alone, of its angle over its radius") {
  const LoadedContact c = loaded({}, {.speed = 10}, {});
  CHECK(c.creep_x == Approx(0).scale(1).epsilon(1e-12));
  CHECK(c.creep_y == Approx(0).scale(1).epsilon(1e-12));
  CHECK(c.spin == Approx(-std::sin(std::atan(0.05)) / 0.46).epsilon(1e-6));
}

// Its circle touches ahead of the axle or behind it, by r yaw tan(slope), where particles also rise with V yaw tan(slope): so they
// stay in the plane of contact, and slide there with V yaw / cos(slope), to the right. What is left is of the square of the yaw.
TEST_CASE("A yawed wheel creeps across, and its circle is skew to the track, by its yaw over the cosine of the slope") {
  const double yaw = 0.01;
  const LoadedContact c = loaded({0, 0, yaw}, {.speed = 10}, {});
  CHECK(c.creep_y == Approx(-yaw / std::cos(c.rigid.angle)).epsilon(yaw * yaw));
  CHECK(c.rigid.skew == Approx(yaw / std::cos(c.rigid.angle)).epsilon(yaw * yaw));
}

// Reference: distance of the two surfaces along the normal, by a search over the wheel's points.
TEST_CASE("The gap over the plane of contact is that of the surfaces, skew too") {
  const RailPair pair(built_in("s1002"), built_in("uic60_1in40"), 0.75, 0.46, 0.7530402);
  const AxlePlace place{0.0075, 0.0076, 0.018};
  const RailContact c = pair.find(place).contact();
  REQUIRE(c.angle > 0.9);
  const ContactGap gap(pair, place, c);
  const AxleTurn turn(place);
  const double ca = std::cos(c.angle), sa = std::sin(c.angle);
  for (const double t : {-0.3e-3, 0.2e-3}) {
    for (const double x : {-4e-3, 3e-3}) {
      // The wheel's point over (x, t): Newton's method in s and phi.
      double s = c.s + t, phi = c.phi + x / c.radius, up = 0;
      for (int pass = 0; pass < 30; ++pass) {
        const auto at = [&](double s1, double p1) {
          const ProfilePoint<double> p = pair.wheel().at(s1);
          const double rho = 0.46 - p.z, px = rho * std::sin(p1), py = 0.75 + p.y, pz = -rho * std::cos(p1);
          const double across = turn.cr * py - turn.sr * pz;
          return Vec3d{turn.cy * px - turn.sy * across - c.x, place.y + turn.sy * px + turn.cy * across - c.y,
                       turn.sr * py + turn.cr * pz + c.height - c.z};
        };
        const Vec3d p = at(s, phi), ps = 1e7 * (at(s + 1e-7, phi) - p), pp = 1e7 * (at(s, phi + 1e-7) - p);
        const double fx = p.x - x, ft = ca * p.y + sa * p.z - t, a = ps.x, b = pp.x, d = ca * ps.y + sa * ps.z,
                     e = ca * pp.y + sa * pp.z;
        const double det = a * e - b * d;
        s -= (fx * e - b * ft) / det, phi -= (a * ft - fx * d) / det;
        up = ca * p.z - sa * p.y;
      }
      double sigma = c.sigma + t;
      for (int pass = 0; pass < 20; ++pass) {
        const ProfileJet<double> r = pair.rail().jet(sigma);
        sigma -= (ca * (r.y - c.rail.y) + sa * (r.z - c.rail.z) - t) / (ca * r.y1 + sa * r.z1);
      }
      const ProfilePoint<double> r = pair.rail().at(sigma);
      const double exact = up - (ca * (r.z - c.rail.z) - sa * (r.y - c.rail.y));
      const ContactGap::Across mine = gap.at(t);
      CHECK(mine.gap + mine.curvature * (x - mine.x) * (x - mine.x) / 2 == Approx(exact).epsilon(0.02));
    }
  }
}
