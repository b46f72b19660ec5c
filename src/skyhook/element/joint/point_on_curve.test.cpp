// References: a circle by hand.
#include "skyhook/element/joint/point_on_curve.h"

#include <cmath>
#include <numbers>

#include "skyhook/element/joint_check.h"
#include "skyhook/model/local_conditions.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

PointOnCurve ring(int points) {
  PointOnCurve p;
  p.from = marker(0, {0, 0, 0}), p.to = marker(1, {1, 0, 0});
  p.closed = true;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * k / points;
    p.points.push_back({std::cos(angle), std::sin(angle), 0});
  }
  return p;
}

}  // namespace

TEST_CASE("A point on a ring: its rows pull across the curve, and measure how far off it is") {
  const auto law = law_of(ring(64));
  const double angle = 0.7;
  const Vec3d out{std::cos(angle), std::sin(angle), 0}, tangent{-out.y, out.x, 0};
  model::LocalConditions c;
  const model::Pose<double> x{1.1 * out + Vec3d{0, 0, 0.05}, Mat3d::identity()};
  REQUIRE(find_contact(*law, x, {}, c));
  REQUIRE(evaluate_rows(*law, x, c));
  CHECK(std::hypot(c.g[0], c.g[1]) == doctest::Approx(std::hypot(0.1, 0.05)).epsilon(1e-6));
  for (int r = 0; r < 2; ++r) CHECK(norm(c.moment(r)) == 0);
  const model::Pose<double> on{out, Mat3d::identity()};
  REQUIRE(find_contact(*law, on, {}, c));
  REQUIRE(evaluate_rows(*law, on, c));
  for (int r = 0; r < 2; ++r) {
    CHECK(std::abs(dot(c.force(r), tangent)) < 1e-5);
    CHECK(norm(c.force(r)) == doctest::Approx(1.0));
  }
  CHECK(std::abs(dot(c.force(0), c.force(1))) < 1e-9);
}

TEST_CASE("A curve is given once, and wholly") {
  PointOnCurve p = ring(8);
  CHECK(refused_field(p).empty());
  p.range = {0, 1};
  CHECK(refused_field(p) == "points");
  p = ring(2);
  CHECK(refused_field(p) == "points");
  p = ring(0);
  CHECK(refused_field(p) == "points");
}
