#include "skyhook/formalism/recursive/equations.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/random_model.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::recursive::Input;
using formalism::recursive::Output;
using formalism::testing::Random;
using formalism::testing::Recipe;

namespace {

struct Case {
  std::shared_ptr<model::Model> model;
  Equations eq;
  Equations::Workspace ws;
  std::vector<double> q, v, a, lambda, eta, tau, qdot, g, rate;
  Case(unsigned seed, const Recipe& recipe)
      : model(formalism::testing::random_model(seed, recipe)),
        eq(model, formalism::choose_tree(*model)),
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

// The two formalisms share only the outward kinematics: a from the explicit one put into the residual one must close.
// The bound is 1e-12 of the sum of term magnitudes: residual for a alone plus forces alone.
TEST_CASE("explicit and residual formalism close to 1e-12 on random trees with every joint type") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Case c(seed, {.bodies = 1 + static_cast<int>(seed % 12),
                  .loops = 2,
                  .rods = 1,
                  .forces = 3,
                  .couplers = 1,
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

// g_rate = dg/dt along q' = H v, and G a + gII = d(g_rate)/dt along (H v, a): central differences in time.
TEST_CASE("the three levels of the constraints are derivatives of each other") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Case c(seed, {.bodies = 6, .loops = 4, .rods = 2, .couplers = 1, .drives = 1});
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
    Case c(seed, {.bodies = 6, .loops = 2, .rods = 2, .forces = 1, .couplers = 1, .drives = 1});
    REQUIRE(c.eq.residual(c.in(), c.out(), c.ws) == Eval::ok);
    std::vector<double> g(c.g.size()), rate(c.g.size());
    c.eq.constraints(0.2, c.q, c.v, g, rate, c.ws);
    for (std::size_t k = 0; k < g.size(); ++k) {
      CHECK(std::abs(g[k] - c.g[k]) < 1e-14 * (1 + std::abs(g[k])));
      CHECK(std::abs(rate[k] - c.rate[k]) < 1e-14 * (1 + std::abs(rate[k])));
    }
  }
}
