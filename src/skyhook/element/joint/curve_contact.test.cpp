// References: discs and lines by hand.
#include "skyhook/element/joint/curve_contact.h"

#include <cmath>
#include <numbers>

#include "skyhook/element/joint_check.testing.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/local_conditions.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

CurveContact discs(double from, double to, const Vec3d& apart) {
  CurveContact c;
  c.from = marker(0, {0, 0, 0}), c.to = marker(1, apart);
  c.from_radius = from, c.to_radius = to;
  return c;
}

model::LocalConditions touching(const model::ContributionLaw& law, const Vec3d& r, double angle = 0) {
  model::LocalConditions c;
  const model::Pose<double> x{r, axis_rotation(Vec3d{0, 1, 0}, angle)};
  REQUIRE(find_contact(law, x, {}, c));
  REQUIRE(evaluate_rows(law, x, c));
  return c;
}

}  // namespace

TEST_CASE("Two discs: their distance, and the normal from one centre to the other") {
  const auto law = law_of(discs(0.5, 0.2, {0, 0, 0.7}));
  for (const double angle : {0.3, 2.0, 4.5}) {
    const Vec3d unit{std::cos(angle), 0, std::sin(angle)};
    const auto c = touching(*law, 0.9 * unit, 0.8);
    CHECK(c.g[0] == doctest::Approx(0.2));
    CHECK(norm(c.force(0) - unit) < 1e-12);
    CHECK(norm(c.moment(0)) < 1e-12);  // the normal goes through the centre
  }
}

TEST_CASE("A disc in a hollow one presses outward") {
  const auto law = law_of(discs(1.0, 0.25, {0, 0, -0.75}));
  const auto c = touching(*law, {0.6, 0, 0});
  CHECK(c.g[0] == doctest::Approx(0.15));  // how far it could still go
  CHECK(norm(c.force(0) - Vec3d{-1, 0, 0}) < 1e-12);
  // The other way round: the hollow one is `to`.
  const auto inverse = touching(*law_of(discs(0.25, 1.0, {0, 0, 0.75})), {-0.6, 0, 0});
  CHECK(inverse.g[0] == doctest::Approx(0.15));
}

TEST_CASE("A disc that rolls on a line turns by its way over its radius") {
  CurveContact flat = discs(0, 0.25, {0, 0, 0.25});
  flat.from_points = {{-2, 0}, {-1, 0}, {1, 0}, {2, 0}};
  flat.rolling = true;
  const auto law = law_of(flat);
  for (const double way : {0.0, 0.4, -1.3, 1.9}) {
    const auto c = touching(*law, {way, 0, 0.25}, way / 0.25);
    CHECK(std::abs(c.g[0]) < 1e-12);
    CHECK(std::abs(c.g[1]) < 1e-9);
    CHECK(std::abs(c.s[0] - (2 + way)) < 1e-9);  // from the first point on
    // Its velocity at the contact: v - w r = 0 for rows of (1, -r) up to sign.
    CHECK(c.force(1).x == doctest::Approx(c.moment(1).y / -0.25));
  }
  CHECK(touching(*law, {0.4, 0, 0.25}, 0.0).g[1] == doctest::Approx(0.4));  // it has slipped
}

TEST_CASE("Profiles that cannot be used are refused at their field") {
  CurveContact c = discs(1, 0, {0, 0, 1});
  CHECK(refused_field(c) == "to_points");
  c.to_radius = 1, c.to_points = {{0, 0}, {1, 0}};
  CHECK(refused_field(c) == "to_radius");
  c = discs(0, 1, {0, 0, 1}), c.from_points = {{0, 0, 0}, {1, 0, 0}};
  CHECK(refused_field(c) == "from_points");
  c = discs(1, 1, {0, 0, 2}), c.to.axes = axis_rotation(Vec3d{1, 0, 0}, 0.5);
  CHECK(refused_field(c) == "to");
}

TEST_CASE("Profiles that leave their plane or end are told") {
  CurveContact flat = discs(0, 0.25, {0, 0, 0.25});
  flat.from_points = {{-2, 0}, {-1, 0}, {1, 0}, {2, 0}};
  const auto law = law_of(flat);
  const std::array s{2.0, 0.0};
  CHECK(law->refuses({{0, 0, 0.25}, Mat3d::identity()}, s).empty());
  CHECK(law->refuses({{0, 0, 0.25}, axis_rotation(Vec3d{1, 0, 0}, 0.1)}, s).find("one plane") != std::string::npos);
  CHECK(law->refuses({{0, 0, 0.25}, Mat3d::identity()}, std::array{4.1, 0.0}).find("end of the profile of `from`") !=
        std::string::npos);
}
