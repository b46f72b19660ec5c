// References: the valve in its middle, speed without load in closed form, differences.
#include "skyhook/element/force/hydraulic_actuator.h"

#include <array>
#include <cmath>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

HydraulicActuator cylinder() {
  HydraulicActuator a;
  a.from = marker(0, {0, 0, 0});
  a.to = marker(1, {0, 0, 0.8});
  a.piston_area = 2e-3, a.rod_area = 5e-4;
  a.push_volume = 4e-4, a.pull_volume = 3e-4;
  a.valve_area = 1e-5, a.supply = 2e7;
  return a;
}

}  // namespace

TEST_CASE("The laws of a hydraulic actuator have exact derivatives, with the spool in its middle too") {
  HydraulicActuator a = cylinder();
  a.opening = formula("0.3*sin(2[1/s]*t) + 0.5[1/m]*x - 0.1[s/m]*v", "t:s x:m v:m/s");
  a.leakage = 1e-12;
  const model::Contribution force = force_of(a);
  CHECK(force.inner->states().size() == 3);
  check_state_law(*force.inner, {0.85, 0.2, 0.4}, {1.2e7, 6e6, 0.4});
  check_state_law(*force.inner, {0.75, -0.2, 0.4}, {3e6, 1.5e7, -0.7});
  check_state_law(*force.inner, {0.8, 0.0, 0.0}, {1e7, 1e7, 0.0});
}

TEST_CASE("With its spool in the middle a cylinder stands at half the supply pressure") {
  const model::Contribution force = force_of(cylinder());
  std::array<double, 3> rates{};
  const double half = 1e7;
  CHECK(force.inner->evaluate({0.8, 0.0}, std::array{half, half, 0.0}, rates) == doctest::Approx(-half * 5e-4));
  for (const double rate : rates) CHECK(std::abs(rate) < 1e-6);  // rounding of two flows that cause 1e7 Pa/s each
}

// Without load and rod both edges drop half the supply: v = (valve area / piston area) cd sqrt(ps / rho).
TEST_CASE("Speed of a cylinder without load") {
  HydraulicActuator a = cylinder();
  a.rod_area = 0, a.underlap = 1e-9, a.laminar = 10;
  a.opening = formula("1", "t:s x:m v:m/s");
  const model::Contribution force = force_of(a);
  const double v = 1e-5 / 2e-3 * 0.7 * std::sqrt(2e7 / 870);
  std::array<double, 3> rates{};
  CHECK(std::abs(force.inner->evaluate({0.8, v}, std::array{1e7, 1e7, 1.0}, rates)) < 1e-9);
  const double piston_alone = 1.5e9 / 4e-4 * 2e-3 * v;
  for (const double rate : rates) CHECK(std::abs(rate) < 1e-8 * piston_alone);
}

TEST_CASE("Without a formula the signal opens the valve, no further than it goes") {
  const model::Contribution force = force_of(cylinder());
  std::array<double, 3> rates{};
  model::Stroke<double> stroke{0.8, 0.0, 0.0, {}};
  stroke.set.signal = 5;
  force.inner->evaluate(stroke, std::array{1e7, 1e7, 0.2}, rates);
  CHECK(rates[2] == doctest::Approx(0.8 / 0.005));
  HydraulicActuator a = cylinder();
  a.rod_area = 3e-3;
  CHECK(refused_field(a) == "rod_area");
}
