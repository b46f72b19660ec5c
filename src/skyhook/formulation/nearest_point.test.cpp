// The projection (12) of [Simeon 1996] and its reading as the nearest point in the mass metric, [Simeon 1996] (10) and
// (11). References: brute-force minimisation over coordinates that satisfy the constraints by construction, Lagrange's
// conditions, powers of the distance.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formulation/projected.h"
#include "skyhook/formulation/projecting_form.testing.h"
#include "skyhook/formulation/swing.testing.h"

using namespace skyhook;
using doctest::Approx;
using formalism::AccelerationSolver;
using formulation::testing::consistent_start;
using formulation::testing::DoublePendulum;
using formulation::testing::ProjectingForm;
using formulation::testing::SliderCrank;
using formulation::testing::Swing;
using formulation::testing::terms_at;

namespace {

template <class A>
using Place = std::array<double, A::np>;

template <class A>
struct Projection {
  Place<A> p, v;
};

template <class A>
Projection<A> project(const Place<A>& q, const Place<A>& u) {
  using Form = ProjectingForm<A>;
  const auto s = consistent_start<A>(q, u);
  Projection<A> r;
  std::copy_n(s.y.begin() + Form::p, A::np, r.p.begin());
  std::copy_n(s.y.begin() + Form::v, A::np, r.v.begin());
  return r;
}

// (a - b)^T M(at) (a - b)
template <class A>
double square_distance(const Place<A>& a, const Place<A>& b, const Place<A>& at) {
  const auto terms = terms_at<A, double>(at.data());
  double sum = 0;
  for (int i = 0; i < A::np; ++i)
    for (int j = 0; j < A::np; ++j) sum += (a[i] - b[i]) * terms.M[i][j] * (a[j] - b[j]);
  return sum;
}

template <class A>
double distance(const Place<A>& a, const Place<A>& b) {
  double worst = 0;
  for (int i = 0; i < A::np; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// Smallest f near x, by parabolas through three points in each coordinate in turn; a parabola is exact enough at the end.
template <std::size_t N, class F>
std::array<double, N> minimise(std::array<double, N> x, F&& f) {
  for (double step = 1e-2; step > 2e-5; step *= 0.7)
    for (int sweep = 0; sweep < 20; ++sweep)
      for (double& coordinate : x) {
        const double middle = f(x), keep = coordinate;
        coordinate = keep + step;
        const double right = f(x);
        coordinate = keep - step;
        const double left = f(x), bend = left - 2 * middle + right;
        coordinate = keep + (bend > 0 ? 0.5 * step * (left - right) / bend : 0);
      }
  return x;
}

Place<DoublePendulum> from_angles(const std::array<double, 2>& a) {
  const double x = DoublePendulum::l1 * std::sin(a[0]), y = -DoublePendulum::l1 * std::cos(a[0]);
  return {x, y, x + DoublePendulum::l2 * std::sin(a[1]), y - DoublePendulum::l2 * std::cos(a[1])};
}
Place<SliderCrank> from_crank(double alpha) {
  const double beta = std::asin((SliderCrank::offset - SliderCrank::crank * std::sin(alpha)) / SliderCrank::rod);
  return {alpha, beta, SliderCrank::crank * std::cos(alpha) + SliderCrank::rod * std::cos(beta)};
}

constexpr Place<DoublePendulum> no_motion{};

}  // namespace

TEST_CASE("with a constant mass matrix the projected position is the nearest one in the mass metric") {
  const Place<DoublePendulum> q{0.55, -0.75, 1.1, -1.05};  // |g| of about 0.1
  const auto found = minimise(std::array{0.6, 1.1}, [&](const std::array<double, 2>& angles) {
    const auto p = from_angles(angles);
    return square_distance<DoublePendulum>(p, q, p);
  });
  const auto p = project<DoublePendulum>(q, no_motion).p;
  CHECK(distance<DoublePendulum>(p, from_angles(found)) < 1e-9);
  CHECK(distance<DoublePendulum>(p, q) > 0.01);
  // The metric matters: without masses another point is nearest.
  const auto plain = minimise(std::array{0.6, 1.1}, [&](const std::array<double, 2>& angles) {
    const auto at = from_angles(angles);
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += (at[i] - q[i]) * (at[i] - q[i]);
    return sum;
  });
  CHECK(distance<DoublePendulum>(p, from_angles(plain)) > 1e-3);
}

TEST_CASE("the projected velocity is the nearest one in the mass metric at p") {
  const auto of_crank = [](double alpha) {  // velocity of the mechanism for a crank rate of one
    const double h = 1e-5;
    const auto after = from_crank(alpha + h), before = from_crank(alpha - h);
    Place<SliderCrank> v;
    for (int i = 0; i < 3; ++i) v[i] = (after[i] - before[i]) / (2 * h);
    return v;
  };
  const Place<SliderCrank> q{0.72, -0.2, 1.3}, u{2.0, -1.5, 0.7};
  const auto r = project<SliderCrank>(q, u);
  const Place<SliderCrank> unit = of_crank(r.p[0]);
  const auto rate = minimise(std::array{2.0}, [&](const std::array<double, 1>& c) {
    Place<SliderCrank> v;
    for (int i = 0; i < 3; ++i) v[i] = c[0] * unit[i];
    return square_distance<SliderCrank>(v, u, r.p);
  });
  for (int i = 0; i < 3; ++i) CHECK(r.v[i] == Approx(rate[0] * unit[i]).epsilon(1e-7));
  CHECK(distance<SliderCrank>(r.v, u) > 0.1);
}

// Where M depends on p, (12a) leaves the derivative of M out: its point is nearest only up to the square of the distance.
TEST_CASE("with a varying mass matrix the projected position is the nearest one up to higher order") {
  const auto deviation = [](double off) {
    const auto exact = from_crank(0.7);
    const Place<SliderCrank> q{exact[0] + 0.3 * off, exact[1] - 0.8 * off, exact[2] + 0.6 * off};
    const auto p = project<SliderCrank>(q, Place<SliderCrank>{}).p;
    CHECK(distance<SliderCrank>(p, from_crank(p[0])) < 1e-13);  // it satisfies the constraints
    const auto nearest = minimise(std::array{p[0]}, [&](const std::array<double, 1>& alpha) {
      const auto at = from_crank(alpha[0]);
      return square_distance<SliderCrank>(at, q, at);
    });
    return std::abs(nearest[0] - p[0]);
  };
  const double far = deviation(0.04), near = deviation(0.02);
  CHECK(far > 1e-5);
  CHECK(far / near == Approx(4.0).epsilon(0.2));
}

// The multibody code: Projected iterates with M and G of the stage before ([Simeon 1996] §4.2), and (12a) asks for
// those at p. From smallest_step the latter is the fixed point of p = q + s, s the smallest with G(p) s = G(p) (p - q)
// - g(p).
TEST_CASE("the projection of a multibody model is that of [Simeon 1996] (12a) up to higher order") {
  const Swing swing;
  const std::size_t nq = swing.nq(), nv = swing.nv();
  const auto deviation = [&](double off) {
    std::vector<double> y = swing.y;
    for (std::size_t i = 0; i < nq; ++i) y[i] += off * std::sin(1.0 + 2.0 * static_cast<double>(i));
    const std::vector<double> start = y, zero(nv, 0.0), weight(y.size(), 1e9);
    const formulation::Projected problem(
        swing.equations,
        {.positions = formulation::ProjectionOptions::Positions::always, .metric = AccelerationSolver::Metric::mass});
    auto workspace = problem.workspace();
    std::vector<double> slope(y.size());
    REQUIRE(problem.rhs(0, y, slope, *workspace) == Eval::ok);  // the stage before
    Repair repair;
    REQUIRE(problem.repair(0, y, weight, repair, *workspace) == Eval::ok);
    CHECK(problem.drift(0, y, *workspace).position < 1e-13);

    AccelerationSolver solver(*swing.equations);
    auto work = swing.equations->workspace();
    std::vector<double> p(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(nq)), step(nv), right(swing.ng()),
        tau(nv), qdot(nq), rate(swing.ng()), none(swing.ng());
    for (int iteration = 0; iteration < 40; ++iteration) {
      solver.factor(0, p, work);
      REQUIRE(swing.equations->residual({0, p, zero, zero, none, none}, {tau, qdot, right, rate}, work) == Eval::ok);
      for (double& g : right) g = -g;
      std::vector<double> moved(nv);
      for (std::size_t i = 0; i < nv; ++i) moved[i] = p[i] - start[i];
      multiply_add(solver.jacobian(), moved, 1.0, right);
      REQUIRE(solver.smallest_step(right, step, AccelerationSolver::Metric::mass));
      for (std::size_t i = 0; i < nv; ++i) p[i] = start[i] + step[i];
    }
    // Lagrange's condition of (12a): M(p) (p - q) has no part along the free motion.
    solver.factor(0, p, work);
    std::vector<double> force(nv, 0.0);
    multiply_add(solver.mass(), step, 1.0, force);
    const DenseMatrix free = null_space(DenseMatrix(solver.jacobian()), 1e-10);
    double along = 0, worst = 0;
    for (std::size_t i = 0; i < nv; ++i) {
      along += free(static_cast<int>(i), 0) * force[i];
      worst = std::max(worst, std::abs(p[i] - y[i]));
    }
    CHECK(std::abs(along) < 1e-12);
    CHECK(largest(step) > 0.1 * off);
    return worst;
  };
  const double far = deviation(0.02), near = deviation(0.01);
  INFO(far, " ", near);
  CHECK(far < 0.02 * 0.1);
  CHECK(far / near == Approx(4.0).epsilon(0.15));
}
