// References: the closed form of a cylinder that yaws over a sloped plane; the silhouette, over which the wheel is lowest.
#include "skyhook/element/rail/wheel_over_plane.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace skyhook;
using namespace skyhook::element::rail;

TEST_CASE("A cylinder over a plane, with yaw and roll") {
  const ProfilePtr wheel = conical(0);
  const double r = 0.46;
  for (const double angle : {0.0, 0.6}) {
    const AxlePlace place{2e-3, 4e-3, 0.02};
    const WheelOverPlane over(*wheel, place, 0.75, r, {{1e-3, 0.75, -r}, angle});
    for (const double x : {-7e-3, 0.0, 5e-3}) {
      for (const double t : {-3e-3, 2e-3}) {
        WheelOverPlane::At at{0, 0};
        const double h = over.height(x, t, at);
        // The point is a radius away from the axle.
        const double c = std::cos(angle), s = std::sin(angle);
        const Vec3<double> p{x + 1e-3, t * c - h * s + 0.75 - place.y, t * s + h * c - r};
        const AxleTurn turn(place);
        const Vec3<double> axle{-turn.sy * turn.cr, turn.cy * turn.cr, turn.sr};
        const double along = dot(p, axle);
        CHECK(std::sqrt(dot(p, p) - along * along) == doctest::Approx(r).epsilon(1e-12));
        CHECK(std::abs(along - 0.75 - at.s) < 1e-12);
        const Vec3<double> there = over.point(at);
        CHECK(std::abs(there.x - x) + std::abs(there.y - t) < 1e-11);
      }
    }
  }
}

TEST_CASE("Over the silhouette the wheel is lowest, on treads and flanges") {
  const ProfilePtr wheel = built_in("s1002");
  const AxlePlace place{4e-3, -6e-3, -0.018};
  const AxleTurn turn(place);
  for (const double s : {-0.045, -0.038, -0.01, 0.02}) {
    const auto on = silhouette(wheel->jet(s), turn, 0.75, 0.46);
    REQUIRE(on.is_seen);
    const WheelOverPlane over(*wheel, place, 0.75, 0.46, {on.at, std::atan2(on.ny, -on.nz)});
    WheelOverPlane::At at{s, std::asin(on.sine)};
    CHECK(std::abs(over.height(0, 0, at)) < 1e-12);
    const auto height = [&](double x) {
      WheelOverPlane::At near = at;
      return over.height(x, 0, near);
    };
    CHECK(std::abs(height(1e-5) - height(-1e-5)) < 1e-13);
    CHECK(height(3e-3) > 2e-6);
    // A parabola is not enough where it yaws on the flange root: the two sides differ.
    MESSAGE("s ", 1e3 * s, " mm: 7 mm ahead and behind ", 1e6 * height(7e-3), ", ", 1e6 * height(-7e-3), " um");
    if (s == -0.038) CHECK(std::abs(height(7e-3) - height(-7e-3)) > 5e-7);
  }
}

TEST_CASE("Where the wheel has no point over the plane that is said, and the start stands") {
  const ProfilePtr wheel = conical(0);
  const WheelOverPlane over(*wheel, {}, 0.75, 0.46, {{0, 0.75, -0.46}, 0});
  WheelOverPlane::At at{1e-3, 0.01};
  CHECK(std::isnan(over.height(0.9, 0, at)));
  CHECK(at.s == 1e-3);
  CHECK(at.phi == 0.01);
}
