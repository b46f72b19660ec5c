#include "skyhook/analysis/linearisation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/analysis/linear_motion.testing.h"
#include "skyhook/analysis/linear_outputs.h"
#include "skyhook/formalism/plane_linkage.testing.h"

using namespace skyhook;
using analysis::Linearisation;
using formalism::testing::four_bar;
using formalism::testing::Linkage;

namespace {

analysis::OperatingPoint equilibrium(const simulation::Prepared& p) {
  REQUIRE_MESSAGE(p.ok(), p.problem());
  const auto e = analysis::find_equilibrium(p);
  REQUIRE_MESSAGE(e.found, e.problem);
  return analysis::at_equilibrium(e);
}
analysis::OperatingPoint moving(const simulation::Prepared& p) {
  REQUIRE_MESSAGE(p.ok(), p.problem());
  std::string problem;
  const auto at = analysis::in_motion(*p.active, p.state, problem);
  REQUIRE_MESSAGE(at, problem);
  return *at;
}

int find(const Linearisation& linear, const std::string& input) {
  for (std::size_t k = 0; k < linear.inputs.size(); ++k) {
    if (linear.inputs[k].what.name == input) return static_cast<int>(k);
  }
  FAIL("no input " << input);
  return -1;
}

void check_same(const DenseMatrix& a, const DenseMatrix& b, double tolerance) {
  REQUIRE(a.value.size() == b.value.size());
  const double size = std::max(1.0, largest(a.value));
  for (std::size_t k = 0; k < a.value.size(); ++k) CHECK(std::abs(a.value[k] - b.value[k]) < tolerance * size);
}

// A rod of 1 m and 1 kg that hangs from a slide which a drive moves along x.
Linkage on_driven_slide(const std::string& drive) {
  Linkage l;
  l.rod("cart", {-0.5, 0, 0}, {0.5, 0, 0});
  l.rod("rod", {0, 0, 0}, {0, -1, 0});
  Linkage::drive(l.slide("rail", model::ground, 0, {0, 0, 0}, {1, 0, 0}), drive);
  l.hinge("A", 0, 1, {0, 0, 0});
  return l;
}

}  // namespace

TEST_CASE("Linearisation of a hanging rod: M = m l^2 / 3, K = m g l / 2") {
  Linkage l;
  l.rod("rod", {0, 0, 0}, {0, -1, 0});
  l.hinge("A", model::ground, 0, {0, 0, 0});
  const auto p = simulation::prepare(l.model, {});
  const auto linear = analysis::linearise(p, equilibrium(p));
  REQUIRE(linear.problem.empty());
  REQUIRE(linear.coordinates == 1);
  CHECK(linear.M(0, 0) == doctest::Approx(1.0 / 3).epsilon(1e-12));
  CHECK(linear.K(0, 0) == doctest::Approx(9.81 / 2).epsilon(1e-12));
  CHECK(linear.D(0, 0) == 0);
  CHECK(linear.A(1, 0) == doctest::Approx(-1.5 * 9.81).epsilon(1e-12));
  CHECK(linear.states[0].name == "A.angle");
  CHECK(linear.states[0].unit == "rad");
  CHECK(linear.states[1].name == "A.angle_rate");
  CHECK(linear.states[1].unit == "rad/s");
}

TEST_CASE("A drive that carries a pendulum excites it by its acceleration alone") {
  // 1/3 phi'' + g/2 phi = -1/2 x'' for the rod of 1 m (x to the right, phi counter-clockwise).
  const Linkage l = on_driven_slide("0.2*sin(3*t)");
  l.model->bodies[1].at = {0, -0.5, 0};
  const auto p = simulation::prepare(l.model, {});
  const auto at = equilibrium(p);
  const auto linear = analysis::linearise(p, at);
  REQUIRE(linear.problem.empty());
  REQUIRE(linear.inputs.size() == 3);
  const int place = find(linear, "rail.displacement"), rate = find(linear, "rail.displacement_rate"),
            acceleration = find(linear, "rail.displacement_acceleration");
  CHECK(std::abs(linear.B(1, place)) < 1e-9);
  CHECK(std::abs(linear.B(1, rate)) < 1e-12);
  CHECK(linear.B(1, acceleration) == doctest::Approx(-1.5).epsilon(1e-10));
  const auto out = analysis::linear_outputs(p, at, linear, {{"x", "rod.x", {}}, {"ax", "rod.ax", {}}});
  REQUIRE_MESSAGE(out.problem.empty(), out.problem);
  REQUIRE(out.outputs.size() == 2);
  // The centre of mass, half a metre below the hinge: x + phi/2, and x'' + phi''/2 = x''/4 - 3/4 g phi.
  CHECK(out.C(0, 0) == doctest::Approx(0.5).epsilon(1e-9));
  CHECK(out.D(0, place) == doctest::Approx(1).epsilon(1e-9));
  CHECK(out.C(1, 0) == doctest::Approx(-0.75 * 9.81).epsilon(1e-8));
  CHECK(out.D(1, acceleration) == doctest::Approx(0.25).epsilon(1e-8));
}

TEST_CASE("A moving four-bar: the tangent follows the constraints at all three levels") {
  Linkage l = four_bar();
  l.model->joints[0].velocity = {3.0};
  const auto p = simulation::prepare(l.model, {});
  const auto at = moving(p);
  const auto linear = analysis::linearise(p, at);
  REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
  REQUIRE(linear.coordinates == 1);
  CHECK(!linear.is_steady);
  CHECK(largest(linear.drift.value) > 0.1);  // it would not be enough to hold the null space
  const auto motion = analysis::testing::compare_with_motion(*p.active, at, linear);
  CHECK(motion.ok);
  CHECK(motion.error < 1e-8);
  const auto differenced = analysis::linearise(p, at, {.differences = true});
  check_same(linear.A, differenced.A, 1e-7);
  CHECK(differenced.evaluations > 0);
}

TEST_CASE("Without mass there is no linear system, and the coordinate is named") {
  Linkage l;
  l.rod("rod", {0, 0, 0}, {0, -1, 0}, 0.0);
  l.hinge("A", model::ground, 0, {0, 0, 0});
  const auto p = simulation::prepare(l.model, {});
  analysis::OperatingPoint at = analysis::at_rest(*p.active, p.state, {});
  const auto linear = analysis::linearise(p, at);
  CHECK(linear.problem.find("A.angle") != std::string::npos);
}
