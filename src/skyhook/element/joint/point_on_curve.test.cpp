// References: a circle by hand.
#include "skyhook/element/joint/point_on_curve.h"

#include <cmath>
#include <numbers>

#include "skyhook/element/joint_check.testing.h"
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

// Rods of the picture: end to end, on the curve, and as long as it is.
TEST_CASE("A ring is drawn on the body that carries it") {
  model::Model model = two_bodies();
  TestSource source;
  ring(64).add_to(source, model);
  const auto& drawn = model.bodies[0].shapes;
  REQUIRE(drawn.size() > 30);
  CHECK(drawn.size() <= 97);
  double length = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const auto end = [&](std::size_t i, double side) {
      return drawn[i].at + side * 0.5 * drawn[i].length * (drawn[i].axes * Vec3d{0, 0, 1});
    };
    length += drawn[k].length;
    CHECK(std::abs(norm(end(k, 1)) - 1) < 1e-4);
    CHECK(norm(end(k, 1) - end((k + 1) % drawn.size(), -1)) < 1e-9);
  }
  CHECK(length == doctest::Approx(2 * std::numbers::pi).epsilon(0.002));
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
