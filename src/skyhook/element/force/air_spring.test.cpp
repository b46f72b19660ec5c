// References: the polytropic law by hand, its rate by the closed form of the page, differences, balance of energy.
#include "skyhook/element/force/air_spring.h"

#include <array>
#include <cmath>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

AirSpring bellows() {
  AirSpring s;
  s.from = marker(0, {0, 0, 0.9});
  s.to = marker(1, {0, 0, 0.6});
  s.area = table({-2, 0, 2}, {0.05, 0.04, 0.035});
  s.volume = 0.2, s.load = 20e3, s.exponent = 1.35, s.ambient = 1e5;
  return s;
}

AirSpring with_tank() {
  AirSpring s = bellows();
  s.load.reset(), s.pressure = 6e5, s.tank_volume = 0.02, s.orifice = 4e-8;
  return s;
}

double push(const model::Contribution& force, double length) {
  const Relative<double> m{0, {0, 0, -length}, Mat3d::identity(), {}, {}};
  std::vector<double> out;
  force.wrench->measure(m, wrench_of(*force.wrench, m), out);
  return out[0];
}

}  // namespace

TEST_CASE("An air spring carries its load at its working length, with the rate of the closed form") {
  AirSpring s = bellows();
  s.area = table({-2, -0.5, 2}, {0.05, 0.042, 0.035});  // no row, where the curvature jumps, at the working length
  const model::Contribution force = force_of(s);
  CHECK(push(force, 0.3) == doctest::Approx(20e3).epsilon(1e-12));
  const double h = 1e-5, A = s.area->at(0.0), p = 1e5 + 20e3 / A, slope = s.area->table()->derivative(0.0);
  const double rate = (push(force, 0.3 + h) - push(force, 0.3 - h)) / (2 * h);
  CHECK(rate == doctest::Approx(-1.35 * p * A * A / 0.2 + 20e3 / A * slope).epsilon(1e-7));
}

TEST_CASE("A bag with a constant area follows p V^n by hand") {
  AirSpring s = bellows();
  s.area = table({-1, 1}, {0.04, 0.04});
  const double V = 0.2 - 0.04 * 0.1, p = 6e5 * std::pow(0.2 / V, 1.35);
  CHECK(push(force_of(s), 0.2) == doctest::Approx((p - 1e5) * 0.04).epsilon(1e-12));
}

TEST_CASE("A closed bag is exact in its derivatives and keeps energy") {
  AirSpring s = bellows();
  const auto is_longer = [](const Relative<double>& m) { return norm(m.r) > 0.2; };
  check_law(*force_of(s).wrench, true, is_longer);
}

TEST_CASE("With a tank: force and rates by hand, exact derivatives") {
  const model::Contribution force = force_of(with_tank());
  REQUIRE(force.inner);
  CHECK(force.inner->pushes());
  const std::array c{7.0, 6.5};
  std::array<double, 2> rates{};
  CHECK(force.inner->evaluate({0.3, -0.4}, c, rates) == doctest::Approx(-(7e5 - 1e5) * 0.04));
  const double flow = 4e-8 * 6e5 * (6.5e5 - 7e5);
  CHECK(rates[0] == doctest::Approx(1.35 / 0.2 * (flow - 7e5 * 0.04 * -0.4) / 1e5));
  CHECK(rates[1] == doctest::Approx(-1.35 / 0.02 * flow / 1e5));
  check_state_law(*force.inner, {0.33, -0.4, 0.2}, {7.0, 6.5});
}

TEST_CASE("What an air spring with a tank takes it keeps: the orifice warms the gas") {
  const model::Contribution force = force_of(with_tank());
  const double x = 0.35, v = -0.7, h = 1e-6;
  const std::array c{7.0, 6.5};
  std::array<double, 2> rates{};
  const double pull = force.inner->evaluate({x, v}, c, rates);
  const auto stored = [&](double t) {
    return force.inner->energy(x + t * v, std::array{c[0] + t * rates[0], c[1] + t * rates[1]});
  };
  CHECK(pull * v == doctest::Approx((stored(h) - stored(-h)) / (2 * h)).epsilon(1e-6));
}

TEST_CASE("An air spring refuses halves and angles; a bag without volume has no force") {
  AirSpring s = bellows();
  s.pressure = 1e5;
  CHECK(refused_field(s) == "pressure");
  s = bellows(), s.load.reset();
  CHECK(refused_field(s) == "pressure");
  s = bellows(), s.area.reset();
  CHECK(refused_field(s) == "area");
  s = bellows(), s.tank_volume = 1;
  CHECK(refused_field(s) == "tank_volume");
  s = bellows(), s.about = Vec3d{0, 0, 1};
  CHECK(refused_field(s) == "about");
  s = bellows(), s.volume = 0.005;
  CHECK(std::isnan(push(force_of(s), 0.1)));
}

TEST_CASE("A bag without volume at its drawn length is refused at the field that says so") {
  AirSpring s = bellows();  // drawn 0.3 m long
  s.area = table({-5, 5}, {0.04, 0.04});
  s.volume = 0.01;  // 0.25 m of its area
  CHECK(refused_field(s).empty());
  s.working_length = 0.54;
  CHECK(refused_field(s).empty());
  s.working_length = 0.56;
  CHECK(refused_field(s) == "working_length");
}
