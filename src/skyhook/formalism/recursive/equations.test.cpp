#include "skyhook/formalism/recursive/equations.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/random_model.testing.h"

using namespace skyhook;
using formalism::Input;
using formalism::Output;
using formalism::recursive::Equations;
using formalism::testing::Random;
using formalism::testing::Recipe;

namespace {

struct Case {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<Equations> built;
  const Equations& eq;
  Equations::Workspace ws;
  std::vector<double> q, v, a, lambda, eta, tau, qdot, g, rate;
  Case(unsigned seed, const Recipe& recipe)
      : model(formalism::testing::random_model(seed, recipe)),
        built(formalism::testing::with_every_row(model)),
        eq(*built),
        ws(eq.workspace()) {
    Random random(seed + 1000);
    q.resize(eq.nq()), v.resize(eq.nv()), a.resize(eq.nv()), lambda.resize(eq.ng()), eta.resize(eq.ng());
    for (auto* x : {&q, &v, &a, &lambda}) {
      for (double& e : *x) e = random();
    }
    tau.resize(eq.nv()), qdot.resize(eq.nq()), g.resize(eq.ng()), rate.resize(eq.ng());
  }
  Input in(double t = 0.2) const { return {t, q, v, a, lambda, eta}; }
  Output out() { return {tau, qdot, g, rate}; }
};

double largest(const std::vector<double>& x) {
  double m = 0;
  for (double e : x) m = std::max(m, std::abs(e));
  return m;
}

}  // namespace

// What the nodes pass on with accelerations and multipliers, from levels() without them and their change: as residual() has it. Summed up in
// another order, they differ by rounding of the largest.
TEST_CASE("reactions on top of levels are those of the residual on random models with every joint type") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c(seed, {.bodies = 2 + static_cast<int>(seed % 12),
                  .loops = 2,
                  .rods = 1,
                  .forces = 3,
                  .couplers = 1,
                  .contacts = 2,
                  .inner = 3,
                  .cut_every = static_cast<int>(seed % 3),
                  .friction = seed % 2 == 1});
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    const auto expected = c.ws.nodes;
    Random random(seed);
    std::vector<double> before(c.a.size()), change(c.a.size()), bias(c.g.size());
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = random(), change[i] = c.a[i] - before[i];
    const Input at{0.2, c.q, c.v, before, c.eta, c.eta};
    REQUIRE(c.eq.levels(at, {c.tau, c.g, c.rate, bias}, c.ws) == Eval::ok);
    REQUIRE(c.eq.add_reactions({0.2, c.q, c.v, change, c.lambda, c.eta}, c.ws) == Eval::ok);
    double size = 0;
    for (const auto& x : expected) size = std::max({size, norm(x.f), norm(x.n), norm(x.a), norm(x.al)});
    for (std::size_t i = 1; i < expected.size(); ++i) {
      const auto &now = c.ws.nodes[i], &then = expected[i];
      const double off =
          std::max({norm(now.f - then.f), norm(now.n - then.n), norm(now.a - then.a), norm(now.al - then.al)});
      CHECK_MESSAGE(off < 1e-12 * size, "seed ", seed, " node ", i, ": ", off, " of ", size);
    }
  }
}

// Two routes to what the nodes pass on without constraints: inertia put on top of the forces for which accelerations were found, and the residual with these. They
// differ by rounding of the largest.
TEST_CASE("inertia on top of the forces is the residual's on random trees with every joint type") {
  int checked = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c(seed, {.bodies = 2 + static_cast<int>(seed % 12),
                  .loops = 0,
                  .rods = 0,
                  .forces = 3,
                  .couplers = 0,
                  .drives = static_cast<int>(seed % 2),
                  .inner = 3});
    if (c.eq.ng() > 0) continue;
    ++checked;
    std::vector<double> a(c.a.size());
    REQUIRE(c.eq.accelerations({0.2, c.q, c.v, c.a, c.eta, c.eta}, a, c.ws) == Eval::ok);
    c.eq.add_inertia(c.v, a, c.ws);
    const auto nodes = c.ws.nodes;
    REQUIRE(c.eq.residual({0.2, c.q, c.v, a, c.eta, c.eta}, c.out(), c.ws) == Eval::ok);
    double size = 0;
    for (const auto& x : c.ws.nodes) size = std::max({size, norm(x.f), norm(x.n), norm(x.a), norm(x.al)});
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const auto &now = nodes[i], &then = c.ws.nodes[i];
      const double off =
          std::max({norm(now.f - then.f), norm(now.n - then.n), norm(now.a - then.a), norm(now.al - then.al)});
      CHECK_MESSAGE(off < 1e-12 * size, "seed ", seed, " node ", i, ": ", off, " of ", size);
    }
    CHECK(largest(c.tau) < 1e-9 * size);
  }
  CHECK(checked > 30);
}

// Two routes to M a: what a change of accelerations does to the nodes, and the mass matrix. The nodes are those of the accelerations changed.
TEST_CASE("a change of accelerations takes M times itself on random models with every joint type") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c(seed, {.bodies = 2 + static_cast<int>(seed % 12),
                  .loops = 2,
                  .rods = 1,
                  .forces = 3,
                  .couplers = 1,
                  .inner = 3,
                  .cut_every = static_cast<int>(seed % 3)});
    Random random(seed);
    std::vector<double> change(c.a.size()), after(c.a.size()), forces(c.a.size()), bias(c.g.size()), tau(c.a.size());
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = random(), after[i] = c.a[i] + change[i];
    Csc mass(std::make_shared<const Pattern>(c.eq.mass_pattern())),
        jacobian(std::make_shared<const Pattern>(c.eq.constraint_pattern()));
    const formalism::Matrices matrices{mass.value, jacobian.value};
    REQUIRE(c.eq.levels({0.2, c.q, c.v, c.a, c.eta, c.eta}, {tau, c.g, c.rate, bias}, c.ws, &matrices) == Eval::ok);
    c.eq.change_accelerations(change, forces, c.ws);
    const auto nodes = c.ws.nodes;
    std::vector<double> left = forces;
    multiply_add(mass, change, -1.0, left);
    CHECK_MESSAGE(largest(left) < 1e-12 * (1 + largest(forces)), "seed ", seed);
    REQUIRE(c.eq.levels({0.2, c.q, c.v, after, c.eta, c.eta}, {c.tau, c.g, c.rate, bias}, c.ws) == Eval::ok);
    for (std::size_t i = 0; i < tau.size(); ++i) left[i] = c.tau[i] - tau[i] - forces[i];
    CHECK_MESSAGE(largest(left) < 1e-12 * (1 + largest(c.tau)), "seed ", seed);
    for (std::size_t i = 1; i < nodes.size(); ++i)
      CHECK(norm(nodes[i].f - c.ws.nodes[i].f) < 1e-12 * (1 + largest(c.tau) + norm(nodes[i].f)));
  }
}

// The two formalisms share only the outward kinematics: a from the explicit one put into the residual one must close.
// The bound is 1e-12 of the sum of term magnitudes: residual for a alone plus forces alone.
TEST_CASE("explicit and residual formalism close to 1e-12 on random trees with every joint type") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Case c(seed, {.bodies = 1 + static_cast<int>(seed % 12),
                  .loops = 2,
                  .rods = 1,
                  .forces = 3,
                  .couplers = 1,
                  .contacts = 3,
                  .stick_slips = 1,
                  .cut_every = static_cast<int>(seed % 3),
                  .friction = seed % 2 == 1});
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    REQUIRE(c.eq.accelerations(c.in(), c.a, c.ws) == Eval::ok);
    std::vector<double> zero(c.a.size(), 0.0);
    std::swap(c.a, zero);
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    const double forces = largest(c.tau);
    std::swap(c.a, zero);
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    CHECK_MESSAGE(largest(c.tau) < 1e-12 * (2 * forces + 100), "seed ", seed, " residual ", largest(c.tau), " of ",
                  forces);
  }
}

// As above, with the rates of the states among the accelerations.
TEST_CASE("explicit and residual formalism close with inner states on lines, coordinates and cut joints") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Case c(seed,
           {.bodies = 6, .loops = 3, .rods = 1, .forces = 1, .inner = 3, .cut_every = static_cast<int>(seed % 3)});
    REQUIRE(c.eq.nv() == c.eq.tree().nv + 6);
    REQUIRE(c.eq.accelerations(c.in(), c.a, c.ws) == Eval::ok);
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    CHECK_MESSAGE(largest(c.tau) < 1e-11 * (100 + largest(c.a)), "seed ", seed, " residual ", largest(c.tau));
  }
}

// By hand: tau of a coordinate is -Q of its generalised force, and a tension of F does the work -F dx.
TEST_CASE("an element with inner states pulls along its line and on its coordinate: virtual work") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Case c(seed, {.bodies = 4, .loops = 2, .reversed = false, .inner = 3});
    auto without = std::make_shared<model::Model>(*c.model);
    without->contributions.clear();
    for (const auto& force : c.model->contributions) {
      if (!force.inner) without->contributions.push_back(force);
    }
    const Equations other(without, formalism::choose_tree(*without));
    REQUIRE(other.nv() == c.eq.tree().nv);
    auto ws = other.workspace();
    std::vector<double> tau(other.nv());
    const CSpan v = CSpan(c.v).first(tau.size()), a = CSpan(c.a).first(tau.size());
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    REQUIRE(other.residual({0.2, c.q, v, a, c.lambda, c.eta}, {tau, c.qdot, c.g, c.rate}, ws) == Eval::ok);
    double work = 0, expected = 0;
    for (std::size_t i = 0; i < tau.size(); ++i) work += (c.tau[i] - tau[i]) * v[i];
    formalism::recursive::positions_velocities(c.eq.tree(), c.q, c.v, c.ws.nodes);
    formalism::recursive::PairMotion m;
    Vec3d unit;
    for (const auto& item : c.eq.state_forces()) {
      const auto stroke = item.stroke(c.ws.nodes, 0.2, c.q, c.v, {}, m, unit);
      std::vector<double> rates(2);
      expected += item.force->inner->evaluate(stroke, item.states(CSpan(c.v)), rates) * stroke.v;
      for (int k = 0; k < 2; ++k)
        CHECK(std::abs(c.tau[item.first + k] - c.a[item.first + k] + rates[k]) <
              1e-13);  // rounding of contracted products
    }
    CHECK_MESSAGE(std::abs(work - expected) < 1e-11 * (100 + std::abs(expected)), "seed ", seed);
  }
}

// g_rate = dg/dt along q' = H v, and G a + gII = d(g_rate)/dt along (H v, a): central differences in time.
TEST_CASE("the three levels of the constraints are derivatives of each other") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Case c(seed, {.bodies = 6,
                  .loops = 4,
                  .rods = 2,
                  .couplers = 1 + static_cast<int>(seed % 3),
                  .drives = 1 + static_cast<int>(seed % 3),
                  .contacts = 6,
                  .stick_slips = 2,
                  .cut_every = static_cast<int>(seed % 3)});
    const double t = 0.2, h = 1e-5;
    std::vector<double> rate0(c.eq.ng()), acc0(c.eq.ng()), q0 = c.q, v0 = c.v, g_plus, r_plus;
    REQUIRE(c.eq.residual(c.in(t), c.out(), c.ws) == Eval::ok);
    rate0 = c.rate;
    REQUIRE(c.eq.constraint_accelerations(c.in(t), acc0, c.ws) == Eval::ok);
    auto move = [&](double s) {  // second-order step along the motion with acceleration a
      std::vector<double> step(c.v.size());
      for (std::size_t i = 0; i < step.size(); ++i)
        step[i] = s * v0[i] + 0.5 * s * s * c.a[i], c.v[i] = v0[i] + s * c.a[i];
      c.q = q0;
      c.eq.plus(c.q, step);
      REQUIRE(c.eq.residual(c.in(t + s), c.out(), c.ws) == Eval::ok);
    };
    move(h);
    g_plus = c.g, r_plus = c.rate;
    move(-h);
    for (int k = 0; k < c.eq.ng(); ++k) {
      CHECK_MESSAGE(std::abs((g_plus[k] - c.g[k]) / (2 * h) - rate0[k]) < 1e-7 * (1 + std::abs(rate0[k])), "seed ",
                    seed, " ", c.eq.rows()[k].name());
      CHECK_MESSAGE(std::abs((r_plus[k] - c.rate[k]) / (2 * h) - acc0[k]) < 1e-6 * (1 + std::abs(acc0[k])), "seed ",
                    seed, " ", c.eq.rows()[k].name());
    }
  }
}

TEST_CASE("the constraints alone are those of the residual, drives and rods of changing length included") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Case c(seed, {.bodies = 6,
                  .loops = 2,
                  .rods = 2,
                  .forces = 1,
                  .couplers = 1,
                  .drives = 1,
                  .contacts = 3,
                  .stick_slips = 1,
                  .cut_every = static_cast<int>(seed % 3)});
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    std::vector<double> g(c.g.size()), rate(c.g.size());
    c.eq.constraints(0.2, c.q, c.v, g, rate, c.ws);
    for (std::size_t k = 0; k < g.size(); ++k) {
      CHECK(std::abs(g[k] - c.g[k]) < 1e-14 * (1 + std::abs(g[k])));
      CHECK(std::abs(rate[k] - c.rate[k]) < 1e-14 * (1 + std::abs(rate[k])));
    }
  }
}
