// References: the GGL system (index 3 and 2 are parts of it), differences of the residual, and along a known motion the
// time derivatives of one level against the next.
#include "skyhook/formulation/descriptor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/corrector/differences.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using formulation::Descriptor;
using formulation::Level;

namespace {

std::shared_ptr<Equations> closed_loops(unsigned seed) {
  const auto model = formalism::testing::random_model(seed, {.bodies = 5,
                                                             .loops = 2,
                                                             .rods = 1,
                                                             .forces = 1,
                                                             .couplers = 1,
                                                             .drives = 1,
                                                             .inner = static_cast<int>(seed % 3),
                                                             .friction = true});
  return std::make_shared<Equations>(model, formalism::choose_tree(*model));
}

struct At {
  std::vector<double> y, yp;
  At(const Structure& s, unsigned seed) : y(s.y.size()), yp(s.y.size()) {
    Random random(seed);
    for (double& x : y) x = random();
    for (double& x : yp) x = random();
  }
};

constexpr Level levels[] = {Level::index3, Level::index2, Level::index1, Level::baumgarte};

// Largest difference between mass() and dF/dy' of derivatives(), relative to 1 + |entry|, over all of the pattern; mass()
// finds a matrix that somebody else has written to. Negative: there is no mass().
double mass_error(const DaeProblem& problem, const At& at) {
  auto ws = problem.workspace();
  Csc dy(problem.structure().pattern), dyp(dy), mass(dy);
  for (double& x : mass.value) x = NAN;
  if (!problem.mass({0.3, at.y, at.yp}, mass, *ws)) return -1;
  REQUIRE(problem.derivatives({0.3, at.y, at.yp}, dy, dyp, *ws) == Eval::ok);
  double worst = 0;
  for (std::size_t k = 0; k < mass.value.size(); ++k) {
    const double error = std::abs(mass.value[k] - dyp.value[k]) / (1 + std::abs(dyp.value[k]));
    if (!(error <= worst)) worst = error;  // not a number too
  }
  return worst;
}

}  // namespace

// Two routes to M: composite inertias, and the derivatives of the recursion. They sum the same terms of size one in
// another order.
TEST_CASE("dF/dy' alone is that of the derivatives") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const formulation::Ggl ggl(closed_loops(seed));
    const double error = mass_error(ggl, At(ggl.structure(), seed));
    CHECK(error >= 0);
    CHECK(error < 1e-13);
    for (const Level level : levels) {
      const Descriptor problem(closed_loops(seed), {.level = level});
      const double part = mass_error(problem, At(problem.structure(), seed));
      const bool without_accelerations = level == Level::index3 || level == Level::index2;
      CHECK((part >= 0) == without_accelerations);  // with them G stands in dF/dy'
      CHECK(part < 1e-13);
    }
  }
}

// Index 3 and 2 are exact: central differences carry 1e-8. Index 1 has rows of forward differences, error about sqrt(eps)
// times the third derivatives of the constraints: 1e-5 of the largest entry fails on any missing or wrong term.
TEST_CASE("derivatives of the descriptor forms equal differences of their residuals, off the manifold") {
  for (const Level level : levels) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      const Descriptor problem(closed_loops(seed), {.level = level});
      const At at(problem.structure(), seed + 50);
      auto ws = problem.workspace();
      for (const double alpha : {0.0, 30.0}) {
        const JacobianMismatch worst = largest_mismatch(problem, {0.3, at.y, at.yp}, alpha, *ws);
        INFO("level ", int(level), " seed ", seed, " row ", worst.row, " column ", worst.column, " exact ", worst.exact,
             " difference ", worst.difference);
        CHECK(worst.relative < (level == Level::index3 || level == Level::index2 ? 1e-6 : 2e-5));
      }
    }
  }
}

// Along q(t) with q' = H v and v' = a the constraint rows are derivatives of each other: g' = G v + gI and
// (G v + gI)' = G a + gII. Central differences over 2e-4 s: error 1e-8 of third derivatives.
TEST_CASE("the constraint rows of the levels are time derivatives of each other") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const auto equations = closed_loops(seed);
    const Descriptor position(equations, {.level = Level::index3}), velocity(equations, {.level = Level::index2}),
        acceleration(equations, {.level = Level::index1});
    At at(position.structure(), seed);
    const int nq = equations->nq(), nv = equations->nv(), ng = equations->ng(), lambda = position.lambda();
    const auto rows = [&](const Descriptor& problem, double t, CSpan q, CSpan v) {
      std::vector<double> y = at.y, F(y.size());
      std::copy(q.begin(), q.end(), y.begin());
      std::copy(v.begin(), v.end(), y.begin() + nq);
      auto ws = problem.workspace();
      REQUIRE(problem.residual({t, y, at.yp}, F, *ws) == Eval::ok);
      return std::vector<double>(F.begin() + lambda, F.begin() + lambda + ng);
    };
    for (const auto& slot : equations->tree().quaternions) {  // H maps to unit quaternions only
      double size = 0;
      for (int c = 0; c < 4; ++c) size += at.y[slot.iq + c] * at.y[slot.iq + c];
      for (int c = 0; c < 4; ++c) at.y[slot.iq + c] /= std::sqrt(size);
    }
    const CSpan q = CSpan(at.y).first(nq), v = CSpan(at.y).subspan(nq, nv), a = CSpan(at.yp).subspan(nq, nv);
    const double h = 1e-4, t = 0.3;
    const auto moved = [&](double d) {
      std::vector<double> qd(q.begin(), q.end()), vd(nv), step(nv);
      for (int i = 0; i < nv; ++i) step[i] = d * v[i] + 0.5 * d * d * a[i], vd[i] = v[i] + d * a[i];
      equations->plus(qd, step);
      return std::pair{qd, vd};
    };
    const auto [q1, v1] = moved(h);
    const auto [q0, v0] = moved(-h);
    const auto g1 = rows(position, t + h, q1, v1), g0 = rows(position, t - h, q0, v0), rate = rows(velocity, t, q, v);
    const auto r1 = rows(velocity, t + h, q1, v1), r0 = rows(velocity, t - h, q0, v0);
    const auto second = rows(acceleration, t, q, v);
    for (int k = 0; k < ng; ++k) {
      CHECK((g1[k] - g0[k]) / (2 * h) == doctest::Approx(rate[k]).epsilon(1e-6).scale(10));
      CHECK((r1[k] - r0[k]) / (2 * h) == doctest::Approx(second[k]).epsilon(1e-6).scale(10));
    }
  }
}

TEST_CASE("Baumgarte's rows are the sum of the three levels, and multipliers say their index") {
  const auto equations = closed_loops(3);
  const double alpha = 7;
  const Descriptor sum(equations, {.level = Level::baumgarte, .alpha = alpha});
  const At at(sum.structure(), 9);
  const int lambda = sum.lambda(), ng = equations->ng();
  REQUIRE(ng > 0);
  std::vector<std::vector<double>> F;
  for (const Level level : levels) {
    const Descriptor problem(equations, {.level = level, .alpha = alpha});
    auto ws = problem.workspace();
    F.emplace_back(at.y.size());
    REQUIRE(problem.residual({0.2, at.y, at.yp}, F.back(), *ws) == Eval::ok);
    const int index = level == Level::index3 ? 3 : level == Level::index2 ? 2 : 1;
    CHECK(problem.structure().y[lambda].index == index);
    CHECK(problem.structure().y[problem.v()].index == (index == 3 ? 2 : 0));
    CHECK_FALSE(problem.structure().y[lambda].in_error_test);
  }
  for (int k = lambda; k < lambda + ng; ++k)
    CHECK(F[3][k] == doctest::Approx(F[2][k] + 2 * alpha * F[1][k] + alpha * alpha * F[0][k]).epsilon(1e-12));
}
