// References: the constraints themselves; the state from which the disturbed one was made.
#include "skyhook/simulation/onto_constraints.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/math/dense.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::four_bar;
using formalism::testing::Random;

// Whatever the size of the disturbance, from rounding to what a loose tolerance leaves: what is skipped must not be seen.
TEST_CASE("A state beside the constraints is put onto them to rounding, positions and velocities") {
  const auto p = prepare(four_bar().model, {});
  const int iv = p.all->coordinate(0, 0).iv;
  for (const double by : {1e-13, 1e-10, 1e-8, 1e-6, 1e-4}) {
    formalism::State x = p.state;
    x.v[iv] = 30;
    REQUIRE(formalism::fit_velocities(*p.all, x, {iv}).ok);
    OntoConstraints onto(*p.active);
    Random random(3);
    std::vector<double> q = x.q, v = x.v, g(p.active->ng()), rate(p.active->ng());
    for (double& e : q) e += by * random();
    for (double& e : v) e += 10 * by * random();
    REQUIRE(onto.move(0, q, v));
    auto ws = p.active->workspace();
    p.active->constraints(0, q, v, g, rate, ws);
    CAPTURE(by);
    CHECK(largest(g) < 1e-14 * 10);
    CHECK(largest(rate) < 1e-12 * (1 + largest(v)));
    for (std::size_t i = 0; i < q.size(); ++i) CHECK(std::abs(q[i] - x.q[i]) < 10 * by + 1e-13);
    for (std::size_t i = 0; i < v.size(); ++i) CHECK(std::abs(v[i] - x.v[i]) < 1000 * by + 1e-11);
  }
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// As a run does it: each sample a little beside the constraints, then its accelerations with the same factors. What factors that are kept leave is
// meant to be 1e-11, or a thousandth of the tolerance, if they gain two digits; they are given up where they gain less than two, and
// other directions may gain one less: 30 times that. In velocities it is ten times as much. Along the constraints they may move by a thousandth of the tolerance.
// Disturbed as samples of the sedan are, 1e-9 m and 2e-8 m/s at most at 1e-6.
TEST_CASE(
    "Samples along a motion keep the factors of one before, and stay on the constraints far below the tolerance") {
  const auto p = prepare(four_bar().model, {});
  const int iv = p.all->coordinate(0, 0).iv;
  for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
    formalism::State x = p.state;
    OntoConstraints onto(*p.active, tolerance);
    auto ws = p.active->workspace();
    Random random(5);
    std::vector<double> g(p.active->ng()), rate(p.active->ng()), a(p.active->nv()), lambda(p.active->ng());
    constexpr int samples = 200;
    double worst = 0, worst_rate = 0;
    for (int k = 0; k < samples; ++k) {
      const double t = 1e-3 * k;
      x.q[iv] = 2 * t, x.v[iv] = 2;
      REQUIRE(formalism::assemble(*p.all, x, {iv}).ok);
      REQUIRE(formalism::fit_velocities(*p.all, x, {iv}).ok);
      std::vector<double> q = x.q, v = x.v;
      for (double& e : q) e += 1e-3 * tolerance * random();
      for (double& e : v) e += 0.02 * tolerance * random();
      std::vector<double> q_fresh = q, v_fresh = v;
      REQUIRE(onto.move(t, q, v));
      REQUIRE(OntoConstraints(*p.active, tolerance).move(t, q_fresh, v_fresh));
      CHECK(apart(q, q_fresh) <= 1e-3 * tolerance + 1e-14);
      CHECK(apart(v, v_fresh) <= 1e-2 * tolerance * (1 + largest(v)) + 1e-13);
      p.active->constraints(t, q, v, g, rate, ws);
      worst = std::max(worst, largest(g)), worst_rate = std::max(worst_rate, largest(rate) / (1 + largest(v)));
      REQUIRE(onto.solver().solve(t, q, v, a, lambda, ws) == Eval::ok);
    }
    CAPTURE(tolerance);
    CHECK(worst < 30 * std::min(1e-11, 1e-3 * tolerance));
    CHECK(worst_rate < 300 * std::min(1e-11, 1e-3 * tolerance));
    CHECK(onto.solver().factorisations() < samples / 2);
  }
}
