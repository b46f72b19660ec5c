// Reference: a solver that factors at each place anew.
#include "skyhook/formalism/acceleration_solver.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using formalism::AccelerationSolver;
using formalism::recursive::Equations;
using formalism::testing::Random;

namespace {

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst / (1e-300 + largest(b));
}

// A state on no constraint, which accelerations do not ask for.
struct Place {
  std::vector<double> q, v;
  Place(const Equations& eq, Random& random) : q(eq.nq()), v(eq.nv()) {
    for (auto* x : {&q, &v}) {
      for (double& e : *x) e = random();
    }
    for (const auto& slot : eq.tree().quaternions) {
      const double size =
          std::hypot(std::hypot(q[slot.iq], q[slot.iq + 1]), std::hypot(q[slot.iq + 2], q[slot.iq + 3]));
      for (int c = 0; c < 4; ++c) q[slot.iq + c] /= size;
    }
  }
};

}  // namespace

TEST_CASE("factors of a place nearby give the accelerations of this one, to rounding") {
  int compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto model =
        formalism::testing::random_model(seed, {.bodies = 8, .loops = 2, .forces = 1, .friction = seed % 2 == 1});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver keeps(eq), fresh(eq);
    keeps.use_nearby_factors();
    Random random(seed + 7);
    auto [q, v] = Place(eq, random);
    std::vector<double> a(eq.nv()), lambda(eq.ng()), a_fresh = a, lambda_fresh = lambda;
    if (keeps.solve(0.2, q, v, a, lambda, ws) != Eval::ok) continue;  // friction jams, or the position is singular
    for (const double by : {1e-7, 1e-5, 1e-2}) {
      for (double& x : q) x += by * random();
      const long before = keeps.factorisations();
      REQUIRE(keeps.solve(0.2 + by, q, v, a, lambda, ws) == fresh.solve(0.2 + by, q, v, a_fresh, lambda_fresh, ws));
      if (by < 1e-3) CHECK(keeps.factorisations() <= before + 1);
      compared += by == 1e-7 && keeps.factorisations() == before;
      CHECK(difference(a, a_fresh) < 1e-10);  // condition numbers of random loops reach 1e5
      CHECK(difference(lambda, lambda_fresh) < 1e-10);
      // M and G are those of the place where they are asked for.
      keeps.factor(0.2 + by, q, ws), fresh.factor(0.2 + by, q, ws);
      CHECK(difference(keeps.mass().value, fresh.mass().value) < 1e-14);
    }
  }
  CHECK(compared > 10);
}

// Further away than any distance would allow: what counts is whether refinement gains.
TEST_CASE("factors are kept along a motion while they serve, and what is found does not show their age") {
  long solutions = 0, factorisations = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto model = formalism::testing::random_model(seed, {.bodies = 8, .loops = 2, .forces = 1});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver keeps(eq), fresh(eq);
    keeps.use_nearby_factors();
    Random random(seed + 5);
    auto [q, v] = Place(eq, random);
    std::vector<double> a(eq.nv()), lambda(eq.ng()), a_fresh = a, lambda_fresh = lambda, step = v;
    for (double& x : step) x *= 3e-4;
    for (int k = 0; k < 30; ++k) {
      const double t = 0.2 + 3e-4 * k;
      if (fresh.solve(t, q, v, a_fresh, lambda_fresh, ws) != Eval::ok) break;  // the position is singular
      REQUIRE(keeps.solve(t, q, v, a, lambda, ws) == Eval::ok);
      CHECK(difference(a, a_fresh) < 1e-10);
      CHECK(difference(lambda, lambda_fresh) < 1e-10);
      ++solutions;
      eq.plus(q, step);
    }
    factorisations += keeps.factorisations();
  }
  MESSAGE(factorisations << " factorisations for " << solutions << " solutions");
  CHECK(solutions > 300);
  CHECK(factorisations < solutions / 2);
}

// Two routes to the rates of accelerations and multipliers: differences of solutions, and of first-order changes with the factors of one place.
TEST_CASE("accelerations followed to both sides have the rates of those that are solved for") {
  constexpr double d = 1e-5;
  int compared = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const auto model =
        formalism::testing::random_model(seed, {.bodies = 8, .loops = static_cast<int>(seed % 3), .forces = 2});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver solver(eq), fresh(eq);
    Random random(seed + 3);
    const auto [q, v] = Place(eq, random);
    std::vector<double> a(eq.nv()), lambda(eq.ng());
    if (solver.solve(0.2, q, v, a, lambda, ws) != Eval::ok || !solver.can_follow(0.2, q, ws)) continue;
    const auto beside = [&](double by, bool follow) {
      std::vector<double> there = q, speed = v, step(eq.nv()), x = a, l = lambda;
      for (int i = 0; i < eq.nv(); ++i) step[i] = by * v[i] + 0.5 * by * by * a[i], speed[i] += by * a[i];
      eq.plus(there, step);
      REQUIRE((follow ? solver.follow(0.2 + by, there, speed, x, l, ws)
                      : fresh.solve(0.2 + by, there, speed, x, l, ws)) == Eval::ok);
      x.insert(x.end(), l.begin(), l.end());
      return x;
    };
    const auto rates = [&](bool follow) {
      std::vector<double> ahead = beside(d, follow);
      const std::vector<double> behind = beside(-d, follow);
      for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = (ahead[i] - behind[i]) / (2 * d);
      return ahead;
    };
    const std::vector<double> followed = rates(true), solved = rates(false);
    // Terms of third order remain, d^2 times rates over accelerations squared, and rounding over d.
    const double change = d * largest(solved) / (1e-300 + largest(a));
    if (change > 1e-3) continue;  // random loops may be near a singular position
    CHECK(difference(followed, solved) < 1e-6 + change * change);
    ++compared;
  }
  CHECK(compared > 15);
}

TEST_CASE("factors and residuals of one pass are those of two") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const auto model = formalism::testing::random_model(seed, {.bodies = 8, .loops = 2, .forces = 1});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver together(eq), apart(eq);
    Random random(seed + 5);
    const auto [q, v] = Place(eq, random);
    std::vector<double> g(eq.ng()), rate(eq.ng()), g_apart = g, rate_apart = rate;
    together.factor(0.3, q, v, g, rate, ws);
    apart.factor(0.3, q, ws);
    eq.constraints(0.3, q, v, g_apart, rate_apart, ws);
    CHECK(together.mass().value == apart.mass().value);
    CHECK(together.jacobian().value == apart.jacobian().value);
    CHECK(g == g_apart);
    CHECK(rate == rate_apart);
  }
}

// As samples are: along a motion, factored where they are interpolated and solved where they have been put onto the constraints, 1e-9 away.
TEST_CASE("a solution that begins with a guess from those before is the one of this place") {
  constexpr double h = 1e-3, off = 1e-9;
  int guessed = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const auto model = formalism::testing::random_model(seed, {.bodies = 8, .loops = 2, .forces = 1});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver guesses(eq), fresh(eq);
    guesses.use_nearby_factors();
    Random random(seed + 11);
    const auto [q, v] = Place(eq, random);
    std::vector<double> a(eq.nv()), lambda(eq.ng()), a_fresh = a, lambda_fresh = lambda, step = v;
    for (int k = 0; k < 10; ++k) {
      const double t = 0.2 + h * k;
      std::vector<double> there = q, beside;
      for (std::size_t i = 0; i < v.size(); ++i) step[i] = h * k * v[i];
      eq.plus(there, step);
      beside = there;
      for (double& x : beside) x += off * random();
      guesses.factor(t, beside, ws);
      if (guesses.solve(t, there, v, a, lambda, ws) != Eval::ok) break;  // the position is singular
      REQUIRE(fresh.solve(t, there, v, a_fresh, lambda_fresh, ws) == Eval::ok);
      guessed += largest(std::vector<double>(guesses.begun_at().begin(), guesses.begun_at().end())) > 0;
      CHECK(difference(a, a_fresh) < 1e-8);  // condition numbers of random loops reach 1e5
      CHECK(difference(lambda, lambda_fresh) < 1e-8);
      CHECK(difference(guesses.g(), fresh.g()) < 1e-14);
    }
  }
  CHECK(guessed > 50);
}

// As samples of a run lie: further apart than factors of one place could be refined from, near enough for a guess. The motion is a smooth one, not that
// of the equations: accelerations follow from any.
TEST_CASE(
    "a guess and the factors of a place before give the accelerations of this one to eight digits where loops are "
    "badly conditioned, and are seldom renewed") {
  constexpr double h = 2e-3;
  long solutions = 0, factorisations = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto model = formalism::testing::random_model(seed, {.bodies = 8, .loops = 2, .forces = 1, .inner = 1});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver keeps(eq), fresh(eq);
    keeps.keep_factors();
    Random random(seed + 2);
    const auto [q, v] = Place(eq, random);
    std::vector<double> a(eq.nv()), lambda(eq.ng()), a_fresh = a, lambda_fresh = lambda, step = v;
    for (int k = 0; k < 60; ++k) {
      const double t = 0.2 + h * k;
      std::vector<double> there = q;
      for (std::size_t i = 0; i < v.size(); ++i) step[i] = 0.2 * v[i] * std::sin(h * k);
      eq.plus(there, step);
      if (fresh.solve(t, there, v, a_fresh, lambda_fresh, ws) != Eval::ok) break;  // the position is singular
      REQUIRE(keeps.solve(t, there, v, a, lambda, ws) == Eval::ok);
      CHECK(difference(a, a_fresh) < 1e-8);  // condition numbers of random loops reach 1e5
      CHECK(difference(lambda, lambda_fresh) < 1e-8);
      ++solutions;
    }
    factorisations += keeps.factorisations();
  }
  MESSAGE(factorisations << " factorisations for " << solutions << " solutions");
  CHECK(solutions > 600);
  CHECK(factorisations < solutions / 5);
}
