#include "skyhook/analysis/wheel_geometry.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace skyhook;
using analysis::roll_centre;
using analysis::WheelGeometry;
using doctest::Approx;

namespace {

// Of a wheel whose contact point moves across the line to (y, z).
WheelGeometry wheel(double at, double y, double z) {
  WheelGeometry g;
  g.contact = {0, at, 0};
  g.contact_rate = {0, z, -(y - at)};
  return g;
}

}  // namespace

// Reference: both lines are given by the point in which they meet.
TEST_CASE("Roll centre: where the lines across both velocities meet") {
  for (const Vec3d& p : {Vec3d{0, 0, 0.1}, Vec3d{0, 0.3, 0.05}, Vec3d{0, -2, -0.4}}) {
    const auto centre = roll_centre(wheel(0.75, p.y, p.z), wheel(-0.7, p.y, p.z));
    CHECK(centre.y == Approx(p.y));
    CHECK(centre.height == Approx(p.z));
  }
}

TEST_CASE("Roll centre: lines along the ground meet everywhere, parallel ones nowhere") {
  const auto flat = roll_centre(wheel(0.75, 0, 0), wheel(-0.75, 0, 0));
  CHECK(flat.y == 0);
  CHECK(flat.height == 0);
  CHECK(std::isnan(roll_centre(wheel(0.75, 1.75, 1), wheel(-0.75, 0.25, 1)).height));
}
