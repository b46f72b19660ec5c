// References: steady flow through the orifices in closed form, conservation of oil, differences.
#include "skyhook/element/force/hydraulic_damper.h"

#include <array>
#include <cmath>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

HydraulicDamper damper() {
  HydraulicDamper d;
  d.from = marker(0, {0, 0, 0});
  d.to = marker(1, {0, 0, 0.5});
  d.piston_area = 1e-3, d.rod_area = 2e-4;
  d.rebound_area = 4e-6, d.compression_area = 1e-5, d.base_area = 3e-6;
  d.compression_volume = 1.5e-4, d.rebound_volume = 1e-4;
  return d;
}

// The turbulent drop of a flow through an area.
double drop(double flow, double area) { return 0.5 * 870 * std::pow(flow / (0.7 * area), 2); }

}  // namespace

TEST_CASE("The laws of a hydraulic damper have exact derivatives, at rest too") {
  const model::Contribution force = force_of(damper());
  check_state_law(*force.inner, {0.52, 0.3}, {4e5, 2e6});
  check_state_law(*force.inner, {0.45, -0.4}, {3e6, 5e5});
  check_state_law(*force.inner, {0.5, 0.0}, {5e5, 5e5});  // no drop anywhere: the slope is finite
}

// Pressures stand still where the orifices pass what the piston displaces: then the force is the sum of drops times areas. The
// law is turbulent but for (laminar / drop)^2 / 4, here below 1e-9.
TEST_CASE("In slow motion the force of a hydraulic damper is drops of the orifices times areas") {
  HydraulicDamper d = damper();
  d.laminar = 10;
  const model::Contribution force = force_of(d);
  const double A1 = 1e-3, A2 = 8e-4, rod = 2e-4;
  std::array<double, 2> rates{};
  const double v = 0.5;  // rebound: the rod leaves, the reservoir fills up
  const double p1 = 0.5e6 - drop(rod * v, 3e-6), p2 = p1 + drop(A2 * v, 4e-6);
  CHECK(force.inner->evaluate({0.5, v}, std::array{p1, p2}, rates) == doctest::Approx(A2 * p2 - A1 * p1));
  CHECK(std::abs(rates[0]) < 1e-8 * 1.5e9 / 1.5e-4 * A1 * v);  // of what the piston alone would cause
  CHECK(std::abs(rates[1]) < 1e-8 * 1.5e9 / 1e-4 * A2 * v);
  const double up1 = 0.5e6 + drop(rod * v, 3e-6), up2 = up1 - drop(A2 * v, 1e-5);
  CHECK(force.inner->evaluate({0.5, -v}, std::array{up1, up2}, rates) < -A1 * up1 + A2 * up2 + 1e-6);
  CHECK(std::abs(rates[0]) < 1e-8 * 1.5e9 / 1.5e-4 * A1 * v);
  CHECK(std::abs(rates[1]) < 1e-8 * 1.5e9 / 1e-4 * A2 * v);
}

TEST_CASE("At rest the gas pushes the rod out") {
  const model::Contribution force = force_of(damper());
  std::array<double, 2> rates{};
  CHECK(force.inner->evaluate({0.5, 0.0}, std::array{0.5e6, 0.5e6}, rates) == doctest::Approx(-0.5e6 * 2e-4));
  CHECK(rates == std::array{0.0, 0.0});
}

// V p' / E is the oil that a chamber takes up: what the piston orifice passes leaves one and enters the other.
TEST_CASE("Oil is conserved: with the base closed what one chamber loses the other gains") {
  HydraulicDamper d = damper();
  d.rod_area = 0, d.base_area = 0;
  const model::Contribution force = force_of(d);
  for (const double v : {-0.7, 0.0, 0.3}) {
    const double x = 0.53, A = 1e-3, V1 = 1.5e-4 + A * 0.03, V2 = 1e-4 - A * 0.03;
    std::array<double, 2> rates{};
    force.inner->evaluate({x, v}, std::array{3e5, 9e5}, rates);
    CHECK(std::abs(V1 * rates[0] + V2 * rates[1]) < 1e-12 * std::abs(V1 * rates[0]));
  }
}

TEST_CASE("A hydraulic damper refuses a rod without room for its oil") {
  HydraulicDamper d = damper();
  d.base_area = 0;
  CHECK(refused_field(d) == "base_area");
  d = damper(), d.rod_area = 1e-3;
  CHECK(refused_field(d) == "rod_area");
}
