// Contact of wheel and rail as a constraint. References: a cone on a circle in closed form, the least distance of the two surfaces by a search that
// knows nothing of silhouettes, differences, the rigid geometry of contact_geometry.h, Laplace's formula for quasi-elastic contact.
#include "skyhook/element/rail/rigid_contact.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "skyhook/element/rail/contact_geometry.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/local_conditions.h"

using namespace skyhook;
using namespace skyhook::element::rail;
using model::LocalConditions;

namespace {

constexpr double cone = 0.0262, rail_radius = 0.06, half = 0.1506;

// The wheelset of the IVP test set: frames in the middle of the axle and of the track, at the height of the rails.
WheelOnRail small_wheel(double side) {
  return {conical(std::tan(cone)), circular(rail_radius, std::tan(cone)), side, 0.1, half, half};
}
WheelOnRail large_wheel(double side) {
  static const ProfilePtr wheel = built_in("s1002"), rail = built_in("uic60_1in40");
  return {wheel, rail, side, 0.46, 0.75, 1.435 / 2 - rail->gauge_face(0.014)};
}

struct Place {
  Vec3d r;
  Mat3d R;
  model::Pose<double> pose() const { return {r, R, {}}; }
};
// First yaw, then roll, then spin.
Place place(double y, double z, double roll, double yaw, double spin = 0) {
  return {
      {0.3, y, z},
      axis_rotation(Vec3d{0, 0, 1}, yaw) * axis_rotation(Vec3d{1, 0, 0}, roll) * axis_rotation(Vec3d{0, 1, 0}, spin)};
}
Place moved(Place x, int direction, double by) {
  if (direction < 3) return x.r[direction] += by, x;
  Vec3d axis;
  axis[direction - 3] = 1;
  x.R = axis_rotation(axis, by) * x.R;
  return x;
}

LocalConditions rows_at(const model::ContributionLaw& law, const Place& x, std::span<const double> begin = {}) {
  LocalConditions c;
  REQUIRE(find_contact(law, x.pose(), begin, c));
  REQUIRE(evaluate_rows(law, x.pose(), c));
  return c;
}

// Of the whole surface of a left wheel, by pattern search over s and the angle: the rail is a circle.
double least_distance(const WheelOnRail& of, const Place& x) {
  const auto distance = [&](double s, double psi) {
    const auto p = of.wheel->at(s);
    const double rho = of.radius - p.z;
    const Vec3d P = x.r + x.R * Vec3d{rho * std::sin(psi), of.half + p.y, -rho * std::cos(psi)};
    const double y = P.y - of.rail_y - rail_radius * std::sin(cone), z = P.z + rail_radius * std::cos(cone);
    return std::hypot(y, z) - rail_radius;
  };
  double s = 0, psi = 0, best = distance(0, 0);
  for (double step = 1e-2; step > 1e-10; step *= 0.7) {
    for (const auto& [ds, dp] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}) {
      for (;;) {
        const double d = distance(s + ds * step * 0.1, psi + dp * step);
        if (!(d < best)) break;
        best = d, s += ds * step * 0.1, psi += dp * step;
      }
    }
  }
  return best;
}

}  // namespace

// Without yaw the silhouette of a cone is a straight line: its distance from the circle is that from the centre less the radius.
TEST_CASE("Rigid contact: a cone on a circle in closed form, left and right, whatever the wheel has turned") {
  for (const double side : {1.0, -1.0}) {
    for (const int variables : {1, 2}) {
      const auto law = rigid_contact({.place = small_wheel(side), .variables = variables});
      for (const double y : {-0.005, 0.0, 0.004}) {
        const double z = 0.1001, roll = 0.01;
        const LocalConditions c = rows_at(*law, place(y, z, roll, 0, 2.1));
        // in the mirror of a right wheel
        const double lean = side * roll, ym = side * y, tilt = lean + cone;
        const Vec3d on_line{0, ym + half * std::cos(lean) + 0.1 * std::sin(lean) - half,
                            z + half * std::sin(lean) - 0.1 * std::cos(lean)};
        const Vec3d centre{0, rail_radius * std::sin(cone), -rail_radius * std::cos(cone)};
        const double exact = dot(on_line - centre, Vec3d{0, -std::sin(tilt), std::cos(tilt)}) - rail_radius;
        CHECK(c.g[0] == doctest::Approx(exact).epsilon(1e-7));
        CHECK(norm(c.force(0)) == doctest::Approx(1).epsilon(1e-6));
        CHECK(std::abs(c.force(0).x) < 1e-12);
      }
    }
  }
}

TEST_CASE("Rigid contact: one that jumps on the spot says what to take in its place") {
  const auto law = rigid_contact({.place = small_wheel(1), .variables = 1});
  const auto* jumps = dynamic_cast<const model::SwitchingLaw*>(law.get());
  REQUIRE(jumps);
  CHECK(jumps->chattering().find("`contact: quasi_elastic`") != std::string::npos);
  CHECK(jumps->chattering().find("`contact: multi_hertz`") != std::string::npos);
}

TEST_CASE("Rigid contact: with yaw it is the least distance of the two surfaces") {
  const WheelOnRail of = small_wheel(1);
  for (const int variables : {1, 2}) {
    const auto law = rigid_contact({.place = of, .variables = variables});
    for (const double yaw : {-0.05, 0.02, 0.1}) {
      const Place x = place(0.002, 0.0998, -0.01, yaw);
      CHECK(std::abs(rows_at(*law, x).g[0] - least_distance(of, x)) < 1e-9);
    }
  }
}

TEST_CASE(
    "Constraint contacts: G and its changes against differences, one variable and two, quasi-elastic, both profiles") {
  const auto check = [](const model::ContributionLaw& law, const Place& x, double h, double bound, double bound_of_G) {
    LocalConditions c = rows_at(law, x);
    REQUIRE(evaluate_row_changes(law, x.pose(), c));
    for (int j = 0; j < 6; ++j) {
      const auto begin = std::span<const double>(c.s).first(static_cast<std::size_t>(c.variables));
      const LocalConditions ahead = rows_at(law, moved(x, j, h), begin), behind = rows_at(law, moved(x, j, -h), begin);
      for (int k = 0; k < c.variables; ++k)
        CHECK(std::abs((ahead.s[k] - behind.s[k]) / (2 * h) - c.s_of_x[k][j]) < bound);
      CHECK(std::abs((ahead.g[0] - behind.g[0]) / (2 * h) - c.G[0][j]) < bound_of_G);
      // The error of h^2 is taken out by the differences over twice the step. Fourth derivatives of the profiles jump at the ends of
      // their cells, so that steps on them are small: 0.06 at 2.5e-7 m, 0.0024 at 6e-8 m, of 1e3.
      const LocalConditions far = rows_at(law, moved(x, j, 2 * h), begin),
                            back = rows_at(law, moved(x, j, -2 * h), begin);
      for (int i = 0; i < 6; ++i) {
        const double near = (ahead.G[0][i] - behind.G[0][i]) / (2 * h), wide = (far.G[0][i] - back.G[0][i]) / (4 * h);
        CHECK(std::abs((4 * near - wide) / 3 - c.G_change[0][i][j]) < bound);
      }
    }
  };
  for (const double side : {1.0, -1.0}) {
    const Place small = place(0.003, 0.1, 0.004, 0.03, 1.3), large = place(0.002, 0.46, 0.001, -0.01, 0.4);
    for (const int variables : {1, 2}) {
      check(*rigid_contact({.place = small_wheel(side), .variables = variables}), small, 1e-5, 1e-5, 1e-7);
      check(*rigid_contact({.place = large_wheel(side), .variables = variables}), large, 6e-8, 5e-3,
            1e-5);  // entries of 1e3
    }
    check(*quasi_elastic_contact({.place = small_wheel(side), .nu = 1e-5}), small, 1e-5, 1e-4, 1e-7);
    check(*quasi_elastic_contact({.place = large_wheel(side), .nu = 1e-5}), large, 6e-8, 5e-3, 1e-5);
  }
}

TEST_CASE("Rigid contact: the angle as a variable or eliminated, and any turn of the wheel, are one") {
  for (const double side : {1.0, -1.0}) {
    const auto one = rigid_contact({.place = large_wheel(side), .variables = 1});
    const auto two = rigid_contact({.place = large_wheel(side), .variables = 2});
    const LocalConditions a = rows_at(*one, place(0.004, 0.46, 0.002, 0.02)),
                          b = rows_at(*two, place(0.004, 0.46, 0.002, 0.02, 300.7));
    CHECK(std::abs(a.g[0] - b.g[0]) < 1e-14);
    CHECK(std::abs(a.s[0] - b.s[0]) < 1e-11);
    for (int i = 0; i < 6; ++i) CHECK(std::abs(a.G[0][i] - b.G[0][i]) < 1e-10);
    const Vec3d axle = place(0, 0, 0.002, 0.02).R.column(1);
    CHECK(std::abs(dot(a.moment(0), axle)) < 1e-12);  // it does not turn the wheel
  }
}

TEST_CASE("Rigid contact: points are those of the rigid geometry, for shifts up to the flange") {
  const WheelOnRail of = large_wheel(1);
  const GapScan scan(of);
  const RailPair pair(of.wheel, of.rail, of.half, of.radius, of.rail_y);
  for (double y = -6e-3; y < 6e-3; y += 5e-4) {
    const AxlePlace at{y, 0.001, 0.01};
    const auto reference = pair.find(at);
    const Place x = place(y, reference.contact().height, at.roll, at.yaw);
    const auto all = nearest_points(of, scan, axle_of(of, x.r, x.R));
    REQUIRE_FALSE(all.empty());
    CHECK(std::abs(all.front().s - reference.contact().s) < 1e-7);
    CHECK(std::abs(all.front().distance) < 1e-10);
  }
}

TEST_CASE("Rigid contact: found again from 100 disturbed starts") {
  const auto law = rigid_contact({.place = large_wheel(1)});
  const Place x = place(0.001, 0.46, 0.0005, 0.005);
  const double s = rows_at(*law, x).s[0];
  std::mt19937 random(7);
  std::uniform_real_distribution<double> off(-2e-3, 2e-3);
  for (int k = 0; k < 100; ++k) {
    const std::vector begin{s + off(random)};
    const LocalConditions c = rows_at(*law, x, begin);
    CHECK(std::abs(c.g[0] - rows_at(*law, x).g[0]) < 1e-12);
    CHECK(std::abs(c.s[0] - s) < 1e-9);
  }
}

// Laplace: g = d + nu/2 ln(d'' L^2 / (2 pi nu)) (1 + O(nu)), with the least distance d and its second derivative over s.
TEST_CASE("Quasi-elastic contact goes to rigid contact like nu ln(1/nu)") {
  const WheelOnRail of = small_wheel(1);
  // Where the rigid wheel touches: away from the rail the smoothed distance is that along the normal to first order only.
  const auto law = rigid_contact({.place = of});
  const Place x = place(0.002, 0.1 - rows_at(*law, place(0.002, 0.1, 0.003, 0.02)).g[0], 0.003, 0.02);
  const auto rigid = rows_at(*law, x);
  const double length = of.wheel->last() - of.wheel->first(), d = rigid.g[0], e = 1e-4;
  const Axle<double> axle = axle_of(of, x.r, x.R);
  const auto distance = [&](double s) {
    const auto wheel = silhouette_point(of, axle, s);
    return distance_of(wheel, foot_on_rail(*of.rail, wheel.at.y, wheel.at.z));
  };
  const double bend = (distance(rigid.s[0] + e) - 2 * d + distance(rigid.s[0] - e)) / (e * e);
  double before = 0, nu_before = 0;
  for (const double nu : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const double g = rows_at(*quasi_elastic_contact({.place = of, .nu = nu}), x).g[0], off = g - d;
    const double laplace = 0.5 * nu * std::log(bend * length * length / (2 * M_PI * nu));
    MESSAGE("nu ", nu, ": g - rigid ", off, " m, over nu ln(1/nu) ", off / (nu * std::log(1 / nu)), ", Laplace ",
            laplace);
    CHECK(off == doctest::Approx(laplace).epsilon(3 * nu + 1e-7));  // and what the sum over the nodes leaves
    if (before > 0)
      CHECK(off / before ==
            doctest::Approx(laplace / (0.5 * nu_before * std::log(bend * length * length / (2 * M_PI * nu_before))))
                .epsilon(0.05));
    before = off, nu_before = nu;
  }
}
