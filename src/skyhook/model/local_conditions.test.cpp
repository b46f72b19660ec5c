// Two routes: G and its changes from nested dual numbers, against differences of g and G while the contact variables are found anew.
#include "skyhook/model/local_conditions.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/math/rotation.h"
#include "skyhook/model/row_bends.h"

using namespace skyhook;
using namespace skyhook::model;

namespace {

// Two contact variables that depend on each other, and three rows of which one reads s alone: all parts of [Arnold
// 2004] (27) have a share. Two own coordinates count as directions like those of the pose.
struct Twisted final : model::ConditionsLaw<Twisted>, model::AlongPath<Twisted> {
  model::Declared declaration;
  Twisted() {
    declaration.coordinates = {{"p", "m", 1}, {"u", "m", 1}};
    declaration.contact_variables = {{"a", "m"}, {"b", "m"}};
    declaration.rows = {{"first"}, {"second"}, {"third"}};
  }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::Pose<T>& x, std::span<const T> s, std::span<T> g, std::span<T> h) const {
    using std::cos, std::sin;
    const Vec3<T> arm = x.R * Vec3<T>{T(0.3), T(-0.2), T(0.5)}, tip = x.r + arm;
    const T &p = x.p[0], &u = x.p[1];
    h[0] = T(2.0) * s[0] + T(0.3) * sin(s[1]) - tip.x * tip.y - p * u;
    h[1] = s[1] - T(0.4) * s[0] * s[0] - tip.z * x.R[0][1] + u * s[0];
    g[0] = dot(tip, tip) - s[0] * cos(s[1]) + p * tip.x;
    g[1] = x.R[1][2] * s[0] + x.r.y - u * u * p;
    g[2] = s[0] * s[1] - T(0.1);
  }
};

struct Circle final : model::ConditionsLaw<Circle> {  // s^2 = r.x: two branches
  model::Declared declaration;
  Circle() { declaration.contact_variables = {{"s", "m"}}; }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::Pose<T>& x, std::span<const T> s, std::span<T>, std::span<T> h) const {
    h[0] = s[0] * s[0] - x.r.x;
  }
  void search(const model::Pose<double>&, std::span<double> s) const override { s[0] = 1; }
};

struct Place {
  Vec3d r;
  Mat3d R;
  std::array<double, 2> p;
  model::Pose<double> pose() const { return {r, R, p}; }
};

Place moved(Place x, int direction, double by) {
  if (direction < 3) return x.r[direction] += by, x;
  if (direction > 5) return x.p[static_cast<std::size_t>(direction - 6)] += by, x;
  Vec3d axis;
  axis[direction - 3] = 1;
  x.R = axis_rotation(axis, by) * x.R;
  return x;
}

LocalConditions rows_at(const Twisted& law, const Place& x) {
  LocalConditions c;
  REQUIRE(find_contact(law, x.pose(), {}, c));
  REQUIRE(evaluate_rows(law, x.pose(), c));
  return c;
}

}  // namespace

TEST_CASE("Contact variables: G and its changes against differences") {
  const Twisted law;
  const Place x{{0.2, -0.4, 0.7}, axis_rotation(normalized(Vec3d{1, 2, -0.5}), 0.8), {0.3, -0.6}};
  LocalConditions c = rows_at(law, x);
  REQUIRE(evaluate_row_changes(law, x.pose(), c));
  const double h = 1e-5;
  for (int j = 0; j < 8; ++j) {
    const LocalConditions ahead = rows_at(law, moved(x, j, h)), behind = rows_at(law, moved(x, j, -h));
    for (int k = 0; k < 2; ++k) CHECK(std::abs((ahead.s[k] - behind.s[k]) / (2 * h) - c.s_of_x[k][j]) < 1e-8);
    for (int r = 0; r < 3; ++r) {
      CHECK(std::abs((ahead.g[r] - behind.g[r]) / (2 * h) - c.G[r][j]) < 1e-8);
      for (int i = 0; i < 8; ++i)
        CHECK(std::abs((ahead.G[r][i] - behind.G[r][i]) / (2 * h) - c.G_change[r][i][j]) < 1e-8);
    }
  }
}

// Two routes to G' v: all second derivatives and one along the motion.
TEST_CASE("Contact variables: what velocities make of the rows is the change of G contracted with them") {
  const Twisted law;
  const Place x{{0.2, -0.4, 0.7}, axis_rotation(normalized(Vec3d{1, 2, -0.5}), 0.8), {0.3, -0.6}};
  LocalConditions c = rows_at(law, x);
  const LocalConditions::Row speed{0.7, -0.3, 1.1, -2.0, 0.4, 0.9, 0.5, -1.3};
  std::array<double, 3> gamma{};
  row_bends(law, x.pose(), c, speed, gamma);
  REQUIRE(evaluate_row_changes(law, x.pose(), c));
  for (std::size_t r = 0; r < 3; ++r) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        const double part = c.G_change[r][i][j] * speed[i] * speed[j];
        sum += part, size += std::abs(part);
      }
    }
    CHECK(std::abs(gamma[r] - sum) < 1e-13 * size);
  }
}

TEST_CASE("Contact variables: the search begins where it is told and stays on its branch") {
  const Circle law;
  const model::Pose<double> x{{4, 0, 0}, Mat3d::identity()};
  LocalConditions c;
  REQUIRE(find_contact(law, x, std::vector{-1.5}, c));
  CHECK(c.s[0] == doctest::Approx(-2));
  REQUIRE(find_contact(law, x, {}, c));
  CHECK(c.s[0] == doctest::Approx(2));
  CHECK_FALSE(find_contact(law, {{-1, 0, 0}, Mat3d::identity()}, {}, c));  // nowhere
}
