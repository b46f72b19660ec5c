#include "skyhook/analysis/equilibrium.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/analysis/start.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/snapshot.h"

using namespace skyhook;
using formalism::testing::four_bar;
using formalism::testing::Linkage;

namespace {

// A linear spring on a joint coordinate.
struct Spring : model::CoordinateElement {
  double stiffness, rest;
  Spring(double k, double x) : stiffness(k), rest(x) {}
  double force(double x, double, double, const model::Setting&) const override { return -stiffness * (x - rest); }
  Dual<2> force(const Dual<2>& x, const Dual<2>&, double, const model::Setting&) const override {
    return -stiffness * (x - rest);
  }
  double energy(double x) const override { return 0.5 * stiffness * (x - rest) * (x - rest); }
};
void add_spring(Linkage& l, int joint, double stiffness, double rest) {
  model::Contribution f;
  f.name = "spring", f.joint = joint, f.dof = 0, f.coordinate = std::make_shared<Spring>(stiffness, rest);
  l.model->contributions.push_back(f);
}

analysis::Equilibrium solve(const Linkage& l) { return analysis::find_equilibrium(simulation::prepare(l.model, {})); }

Linkage pendulum(double angle) {  // rod of 1 m, hanging along -y at angle 0
  Linkage l;
  l.rod("rod", {0, 0, 0}, {0, -1, 0});
  l.hinge("A", model::ground, 0, {0, 0, 0}).position = {angle};
  return l;
}

}  // namespace

TEST_CASE("A mass on a spring sinks by m g / k") {
  Linkage l;
  l.rod("mass", {0, 0, 0}, {2, 0, 0});  // 2 kg
  l.slide("guide", model::ground, 0, {0, 0, 0}, {0, 1, 0});
  add_spring(l, 0, 100, 0);
  const auto e = solve(l);
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(std::abs(e.state.q[0] + 2 * 9.81 / 100) < 1e-9);  // linear: Newton's method to the residual asked for
  CHECK(e.stable);
  CHECK(e.unique);
}

TEST_CASE("A pendulum comes to hang, wherever it starts") {
  for (const double angle : {0.3, 1.5, 2.9, -2.0}) {
    CAPTURE(angle);
    const auto e = solve(pendulum(angle));
    REQUIRE_MESSAGE(e.found, e.problem);
    CHECK(std::abs(std::sin(e.state.q[0])) < 1e-7);
    CHECK(std::cos(e.state.q[0]) > 0);
    CHECK(e.stable);
    for (double v : e.state.v) CHECK(v == 0.0);
  }
}

TEST_CASE("A pendulum that stands on its head is in balance, but not stable") {
  const auto e = solve(pendulum(std::numbers::pi));
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(!e.stable);
}

TEST_CASE("A loop under gravity and a spring: the least potential of all positions") {
  Linkage l = four_bar();
  add_spring(l, 0, 20, 0.4);
  const auto p = simulation::prepare(l.model, {});
  const auto e = analysis::find_equilibrium(p);
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(e.stable);
  // Brute force over the crank angle; loops closed with the crank held. The potential is flat at its minimum, so the angle is
  // known to the root of rounding, 1e-8; a parabola through three points is good to some 1e-6.
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& s = evaluator.now();
  const int crank = p.all->coordinate(0, 0).iv;
  auto potential = [&](double angle) {
    formalism::State x = e.state;
    x.q[crank] = angle;
    REQUIRE(formalism::assemble(*p.all, x, {crank}).ok);
    REQUIRE(evaluator.evaluate(0, x.q, x.v) == Eval::ok);
    return s.potential;
  };
  const double at = e.state.q[crank], h = 1e-3, low = potential(at - h), mid = potential(at), high = potential(at + h);
  CHECK(mid < low);
  CHECK(mid < high);
  CHECK(std::abs(0.5 * h * (low - high) / (low - 2 * mid + high)) < 1e-5);
}

TEST_CASE("What nothing carries is named") {
  Linkage l;
  l.rod("stone", {0, 0, 0}, {1, 0, 0});
  l.slide("shaft", model::ground, 0, {0, 0, 0}, {0, 1, 0});
  const auto e = solve(l);
  CHECK(!e.found);
  CHECK(e.problem.find("shaft") != std::string::npos);
}

TEST_CASE("A little force along a direction that nothing resists is told, and that is held; a large one falls") {
  struct Push : Spring {
    explicit Push(double f) : Spring(0, 0), size(f) {}
    double size;
    double force(double, double, double, const model::Setting&) const override { return size; }
    Dual<2> force(const Dual<2>&, const Dual<2>&, double, const model::Setting&) const override { return size; }
  };
  const auto pushed = [](double force) {
    Linkage l;
    l.rod("table", {0, 0, 0}, {2, 0, 0});
    l.rod("cart", {0, 0, 0}, {2, 0, 0});
    l.slide("lift", model::ground, 0, {0, 0, 0}, {0, 1, 0});
    l.slide("along", 0, 1, {0, 0, 0}, {1, 0, 0}).position = {0.3};
    add_spring(l, 0, 100, 0);
    model::Contribution f;
    f.name = "push", f.joint = 1, f.dof = 0, f.coordinate = std::make_shared<Push>(force);
    l.model->contributions.push_back(f);
    return solve(l);
  };
  const auto e = pushed(2e-6);  // of 39 N that act; the search asks for 1e-8 of them
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(std::abs(e.state.q[0] + 4 * 9.81 / 100) < 1e-9);
  CHECK(e.state.q[1] == 0.3);
  CHECK(!e.unique);
  REQUIRE(e.free == std::vector<std::string>{"along.displacement"});
  REQUIRE(e.warnings.size() == 1);
  CHECK(std::string(e.warnings[0].name) == "force_left");
  CHECK(e.warnings[0].what.find("a force of 2e-06 is left along it") != std::string::npos);
  CHECK(!pushed(0.1).found);
  CHECK(pushed(0.1).problem.find("along.displacement") != std::string::npos);
}

TEST_CASE("What may move without resistance makes the equilibrium not unique") {
  Linkage l;
  l.rod("wheel", {-0.5, 0, 0}, {0.5, 0, 0});
  l.hinge("axle", model::ground, 0, {0, 0, 0});  // at its centre of mass
  const auto e = solve(l);
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(e.stable);
  CHECK(!e.unique);
}

namespace {

// Two pressures in units of a million, with a leak between them and a supply that depends on the position; and a spring.
struct Cylinder : model::StateLaw<Cylinder> {
  std::vector<model::InnerState> states() const override { return {{"push", "Pa", 1e6, 0}, {"pull", "Pa", 1e6, 2e6}}; }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    rates[0] = T(3e9) * (T(-0.02) - s.x) - T(40) * (c[0] - c[1]) - s.v * T(1e10);
    rates[1] = T(40) * (c[0] - c[1]) - T(15) * c[1] + s.v * T(1e10);
    return T(-2e-5) * (c[0] - c[1]);
  }
};

// Its rate never vanishes.
struct Integrator : model::StateLaw<Integrator> {
  std::vector<model::InnerState> states() const override { return {{"sum", "N"}}; }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    rates[0] = T(3);
    return T(100) * s.x + T(0) * c[0];
  }
};

}  // namespace

// By hand: c' = 0 asks for 15 p2 = 40 (p1 - p2) = 3e9 (-0.02 - x), balance for 2e-5 (p1 - p2) = m g.
TEST_CASE("Inner states stand still in equilibrium, and the run starts with them") {
  Linkage l;
  l.rod("mass", {0, 0, 0}, {2, 0, 0});
  l.slide("guide", model::ground, 0, {0, 0, 0}, {0, 1, 0});
  model::Contribution f;
  f.name = "jack", f.joint = 0, f.inner = std::make_shared<Cylinder>();
  l.model->contributions.push_back(f);
  const auto e = solve(l);
  REQUIRE_MESSAGE(e.found, e.problem);
  const double drop = 2 * 9.81 / 2e-5, x = -0.02 - 40 * drop / 3e9, pull = 40 * drop / 15;
  CHECK(std::abs(e.state.q[0] - x) < 1e-9);
  REQUIRE(e.state.v.size() == 3);
  CHECK(e.state.v[0] == 0.0);
  CHECK(e.state.v[1] == doctest::Approx(pull + drop).epsilon(1e-9));
  CHECK(e.state.v[2] == doctest::Approx(pull).epsilon(1e-9));
  CHECK(e.stable);  // the pressure follows the position
  CHECK(e.unique);
  model::Experiment experiment;
  experiment.start = "rest", experiment.until = 1;
  const auto p = analysis::prepare(l.model, experiment);
  REQUIRE(p.ok());
  CHECK(p.state.v == e.state.v);
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, p.state.q, p.state.v) == Eval::ok);
  CHECK(std::abs(s.a[0]) < 1e-6);
  CHECK(std::abs(s.a[1]) < 1.0);  // of 3e9 * 0.05 Pa/s
  REQUIRE(evaluator.evaluate_at_rest(0, p.state.q, p.state.v, e.lambda) == Eval::ok);
  CHECK(s.state_forces[0].pull == doctest::Approx(-2 * 9.81).epsilon(1e-8));
}

TEST_CASE("A state that cannot come to rest is named") {
  Linkage l;
  l.rod("mass", {0, 0, 0}, {2, 0, 0});
  l.slide("guide", model::ground, 0, {0, 0, 0}, {0, 1, 0});
  model::Contribution f;
  f.name = "counter", f.joint = 0, f.inner = std::make_shared<Integrator>();
  l.model->contributions.push_back(f);
  const auto e = solve(l);
  CHECK(!e.found);
  CHECK(e.problem.find("counter.sum") != std::string::npos);
}

TEST_CASE("A structure is in equilibrium as it stands") {
  Linkage l;
  l.rod("beam", {0, 0, 0}, {1, 0, 0});
  l.joint("wall", "fixed", model::ground, 0, {0, 0, 0}, {0, 0, 1});
  const auto e = solve(l);
  CHECK(e.found);
}
