// References: the first law of thermodynamics with the heat of dampers and sliders by hand, forces by hand.
#include "skyhook/element/force/rubber_bushing.h"

#include <array>
#include <cmath>

#include "skyhook/element/joint_check.testing.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/contribution.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

RubberBushing mount() {
  RubberBushing b;
  b.from = marker(0, {0.1, 0, 0});
  b.to = marker(1, {0.1, 0, 0});
  return b;
}

model::Relative<double> motion(const Vec3d& r, const Vec3d& v, double angle, const Vec3d& w) {
  model::Relative<double> m{};
  m.r = r, m.v = v, m.w = w;
  m.R = axis_rotation(normalized(Vec3d{1, -2, 0.5}), angle);
  return m;
}

}  // namespace

TEST_CASE("A rubber bushing: spring, branch and friction add up along each axis") {
  RubberBushing b = mount();
  b.stiffness = {100, 0, 0}, b.branches = {{30, 0, 0}}, b.branch_times = {0.1};
  b.friction = {6, 0, 0}, b.friction_stiffness = {60, 0, 0};
  const auto law = law_of(b);
  REQUIRE(law->declared().states.size() == 2);
  CHECK(law->declared().states[0].name == "branch1_dx");
  CHECK(law->declared().states[1].name == "friction_dx");
  const std::array c{0.02, -0.05};
  std::array<double, 2> rates{};
  model::Wrench<double> wrench{};
  const auto m = motion({0.3, 0.7, 0}, {-2, 1, 0}, 0, {});
  law->loads({m, c, {}, {}}, {wrench, rates, {}});
  CHECK(wrench.f.x == doctest::Approx(-100 * 0.3 - 30 * 0.02 + 60 * 0.05));
  CHECK(wrench.f.y == 0);
  CHECK(norm(wrench.n) == 0);
  CHECK(rates[0] == doctest::Approx(-2 - 0.02 / 0.1));
  CHECK(rates[1] == doctest::Approx(-2 + 2 * 0.05 / 0.1));  // it slides off at 0.1 m
}

TEST_CASE("A rubber bushing keeps or heats what it takes, at large rotations too") {
  RubberBushing b = mount();
  b.stiffness = {100, 200, 50}, b.angular_stiffness = {7, 3, 9};
  b.branches = {{30, 0, 10}, {0, 5, 0}}, b.angular_branches = {{0, 4, 2}, {1, 0, 0}}, b.branch_times = {0.1, 0.02};
  b.friction = {6, 0, 2}, b.friction_stiffness = {60, 0, 10};
  b.angular_friction = {0, 2, 0}, b.angular_friction_stiffness = {0, 8, 0};
  const auto law = law_of(b);
  const auto m = motion({0.2, -0.1, 0.3}, {0.5, 1.5, -0.7}, 1.1, {0.4, -1.2, 0.9});
  std::vector<double> c;
  for (std::size_t i = 0; i < law->declared().states.size(); ++i)
    c.push_back(0.03 * std::sin(3.0 * static_cast<double>(i) + 1));
  std::vector<double> rates(c.size());
  model::Wrench<double> wrench{};
  law->loads({m, c, {}, {}}, {wrench, rates, {}});

  const auto stored = [&](double h) {
    model::Relative<double> moved = m;
    moved.r += h * m.v;
    moved.R = axis_rotation(normalized(m.w), norm(m.w) * h) * m.R;
    std::vector<double> at = c;
    for (std::size_t i = 0; i < c.size(); ++i) at[i] += h * rates[i];
    return law->energy({moved, at, {}, {}});
  };
  // Of a branch, its force times how fast its damper or slider moves: v - c'. Directions are those of the states' names.
  const double h = 1e-6;
  const auto rotated = [&](double by) {
    std::vector<double> out;
    model::Relative<double> moved = m;
    moved.R = axis_rotation(normalized(m.w), norm(m.w) * by) * m.R;
    law->measure({moved, c, {}, {}}, {wrench, {}}, out);
    return Vec3d{out[3], out[4], out[5]};
  };
  const Vec3d phi_rate = (1 / (2 * h)) * (rotated(h) - rotated(-h));
  double heat = 0;
  const std::array stiffness{30.0, 10.0, 5.0, 4.0, 2.0, 1.0, 60.0, 10.0, 8.0};
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::string& name = law->declared().states[i].name;
    const int k = name.back() - 'x';
    const double speed = name[name.size() - 2] == 'r' ? phi_rate[k] : m.v[k];
    heat += stiffness[i] * c[i] * (speed - rates[i]);
  }
  const double taken = -dot(wrench.f, m.v) - dot(wrench.n, m.w);
  CHECK(taken == doctest::Approx((stored(h) - stored(-h)) / (2 * h) + heat).epsilon(1e-7));
  CHECK(heat > 0);
}

TEST_CASE("A rubber bushing refuses halves") {
  RubberBushing b = mount();
  b.friction = {1, 0, 0};
  CHECK(refused_field(b) == "friction");
  b = mount(), b.angular_friction_stiffness = {0, 1, 0};
  CHECK(refused_field(b) == "angular_friction");
  b = mount(), b.branches = {{1, 2, 3}};
  CHECK(refused_field(b) == "branches");
  b.branch_times = {1};
  CHECK(refused_field(b).empty());
  b.angular_branches = {{1, 2}};
  CHECK(refused_field(b) == "angular_branches");
  b = mount(), b.branch_times = {1};
  CHECK(refused_field(b) == "branch_times");
}
