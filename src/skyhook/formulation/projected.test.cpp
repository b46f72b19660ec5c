// References: what [Arnold 2004] §4 and [Simeon 1996] prove of drift and projection, the mass metric's condition of
// optimality, and counts.
#include "skyhook/formulation/projected.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/swing.testing.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formulation::Projected;
using formulation::ProjectionOptions;
using formulation::testing::Swing;
using Positions = ProjectionOptions::Positions;
using doctest::Approx;

namespace {

struct Outcome {
  std::vector<double> y;
  Projected::Drift drift;
  Cost cost;
  long projections;
};

Outcome run(const Swing& swing, ProjectionOptions options, double t_end, double tolerance) {
  const Projected problem(swing.equations, options);
  integrator::Dopri5 dopri(problem, {.relative_tolerance = tolerance, .absolute_tolerance = tolerance}, 0, swing.y);
  integrator::StepResult r;
  while (r.status == integrator::StepStatus::ok) r = dopri.step(t_end);
  REQUIRE(r.status == integrator::StepStatus::reached_limit);
  auto ws = problem.workspace();
  return {{dopri.y().begin(), dopri.y().end()}, problem.drift(t_end, dopri.y(), *ws), dopri.cost(), dopri.repairs()};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

constexpr ProjectionOptions none{.positions = Positions::never, .velocities = false};
constexpr ProjectionOptions velocities{.positions = Positions::never, .velocities = true};
constexpr ProjectionOptions controlled{.positions = Positions::controlled, .velocities = true};
constexpr ProjectionOptions always{.positions = Positions::always, .velocities = true};

}  // namespace

// [Simeon 1996], table 1: without projection the drift is seen, velocity projection alone leaves a small one, both
// projections none; the control needs a fraction of the projections and is as exact.
TEST_CASE("projection removes the drift, and under control at a fraction of its cost") {
  const Swing swing;
  const double t_end = 5, tol = 1e-6;
  const Outcome exact = run(swing, always, t_end, 1e-11);
  const Outcome a = run(swing, none, t_end, tol), b = run(swing, velocities, t_end, tol),
                c = run(swing, controlled, t_end, tol), d = run(swing, always, t_end, tol);
  CHECK(a.drift.position > 1e-8);
  CHECK(a.drift.velocity > 1e-8);
  CHECK(b.drift.velocity < 1e-12);
  CHECK(b.drift.position < a.drift.position);
  CHECK(d.drift.position < 1e-12);
  CHECK(d.drift.velocity < 1e-12);
  CHECK(d.projections == d.cost.steps);
  CHECK(c.projections <=
        0.3 * static_cast<double>(d.projections));  // the swing is rougher than the suspension of [Simeon 1996]
  CHECK(c.drift.velocity < 1e-12);
  CHECK(distance(c.y, exact.y) < 1.5 * distance(d.y, exact.y) + 1e-9);
}

// [Arnold 2004] §4: the index-1 drift grows with the square of time, that of the velocity constraint linearly. Steps of
// one size, so that each adds the same; measured in the middle and at the end of a long run.
TEST_CASE("without projection the position drift grows quadratically, the velocity drift linearly") {
  const Swing swing;
  const Projected problem(swing.equations, none);
  integrator::Dopri5 dopri(
      problem, {.relative_tolerance = 1e3, .absolute_tolerance = 1e3, .initial_step = 0.01, .largest_step = 0.01}, 0,
      swing.y);
  auto ws = problem.workspace();
  // Averages over a window: the drift has the oscillation of the swing on top.
  const auto mean_until = [&](double from, double to) {
    while (dopri.t() < from - 1e-9) dopri.step(from);
    Projected::Drift sum;
    int n = 0;
    for (; dopri.t() < to - 1e-9; ++n) {
      dopri.step(to);
      const auto drift = problem.drift(dopri.t(), dopri.y(), *ws);
      sum.position += drift.position, sum.velocity += drift.velocity;
    }
    return Projected::Drift{sum.position / n, sum.velocity / n};
  };
  const auto early = mean_until(8, 12), late = mean_until(36, 44);
  CHECK(std::log(late.position / early.position) / std::log(4.0) == Approx(2.0).epsilon(0.25));
  CHECK(std::log(late.velocity / early.velocity) / std::log(4.0) == Approx(1.0).epsilon(0.35));
}

// [Simeon 1996] §4.2: six decompositions of Q a step, the projection of the velocities included.
TEST_CASE("a step needs six decompositions, projections included") {
  const Swing swing;
  for (const ProjectionOptions& options : {none, velocities, controlled}) {
    const Outcome r = run(swing, options, 2.0, 1e-6);
    const long attempts = r.cost.steps + r.cost.error_test_failures;
    CHECK(r.cost.factorisations <= 6 * attempts + 1);
    CHECK(r.cost.factorisations >= 6 * r.cost.steps);
  }
}

// Nearest in the mass metric means M (p - q) = -G^T tau: a step along the constraints' null space does no first-order good.
TEST_CASE("a projected velocity is the nearest one in the metric asked for") {
  const Swing swing;
  using Metric = ProjectionOptions::Metric;
  for (const Metric metric : {Metric::mass, Metric::euclidean}) {
    const Projected problem(swing.equations, {.positions = Positions::never, .velocities = true, .metric = metric});
    auto ws = problem.workspace();
    std::vector<double> y = swing.y;
    const std::size_t nq = static_cast<std::size_t>(swing.equations->nq()),
                      nv = static_cast<std::size_t>(swing.equations->nv());
    for (std::size_t i = 0; i < nv; ++i) y[nq + i] += 0.1 * std::sin(1.0 + static_cast<double>(i));
    const std::vector<double> before = y, weight(y.size(), 1.0);
    Repair repair;
    REQUIRE(problem.repair(0, y, weight, repair, *ws) == Eval::ok);
    formalism::AccelerationSolver solver(*swing.equations);
    auto work = swing.equations->workspace();
    solver.factor(0, CSpan(y).first(nq), work);
    std::vector<double> step(nv), force(nv, 0.0);
    for (std::size_t i = 0; i < nv; ++i) step[i] = y[nq + i] - before[nq + i];
    if (metric == Metric::mass)
      multiply_add(solver.mass(), step, 1.0, force);
    else
      force = step;
    const DenseMatrix free = null_space(DenseMatrix(solver.jacobian()), 1e-10);
    double product = 0;
    for (std::size_t i = 0; i < nv; ++i) product += free(i, 0) * force[i];
    CHECK(std::abs(product) < 1e-12);
    CHECK(problem.drift(0, y, *ws).velocity < 1e-13);
    CHECK(largest(step) > 1e-3);
  }
}

namespace {

// Errors of the constraints and their rates, row by row.
struct Levels {
  std::vector<double> g, rate;
  Levels(const formalism::EquationsOfMotion& eq, double t, CSpan y) {
    formulation::Projection projection(eq, formulation::Metric::mass);
    const auto nq = static_cast<std::size_t>(eq.nq()), nv = static_cast<std::size_t>(eq.nv());
    projection.evaluate(t, y.first(nq), y.subspan(nq, nv));
    g = projection.g(), rate = projection.rate();
  }
};

}  // namespace

// Along the motion g'' + 2 alpha g' + alpha^2 g = 0 holds exactly, so that g = (g0 + (g0' + alpha g0) t) e^(-alpha t)
// from any start. The same equations as a DAE by another integrator end at the same point.
TEST_CASE("Baumgarte's accelerations let constraint errors decay as his oscillator does, and as his DAE form") {
  Swing swing;
  const double alpha = 8, t_end = 0.75, tol = 1e-11;
  for (std::size_t i = 0; i < swing.y.size(); ++i) swing.y[i] += 0.02 * std::sin(1.0 + static_cast<double>(i));
  const Levels start(swing.equations, 0, swing.y);
  const Projected problem(swing.equations, {.positions = Positions::never, .velocities = false, .alpha = alpha});
  CHECK_FALSE(problem.repairs());
  const integrator::Options options{.relative_tolerance = tol, .absolute_tolerance = tol};
  integrator::Dopri5 dopri(problem, options, 0, swing.y);
  while (dopri.step(t_end).status == integrator::StepStatus::ok) {}
  const Levels end(swing.equations, t_end, dopri.y());
  for (std::size_t k = 0; k < end.g.size(); ++k) {
    const double g0 = start.g[k], slope = start.rate[k] + alpha * g0, decay = std::exp(-alpha * t_end);
    CHECK(std::abs(g0) > 1e-3);
    CHECK(end.g[k] == Approx((g0 + slope * t_end) * decay).epsilon(1e-9).scale(1e-1));
    CHECK(end.rate[k] == Approx((slope - alpha * (g0 + slope * t_end)) * decay).epsilon(1e-9).scale(1));
  }

  const formulation::Descriptor dae(swing.equations, {.level = formulation::Level::baumgarte, .alpha = alpha});
  std::vector<double> y(static_cast<std::size_t>(dae.structure().size()), 0.0), yp = y;
  std::copy(swing.y.begin(), swing.y.end(), y.begin());
  auto ws = problem.workspace();
  REQUIRE(problem.rhs(0, swing.y, Span(yp).first(swing.y.size()), *ws) == Eval::ok);
  integrator::Radau5 radau(dae, options, 0, y, yp);
  while (radau.step(t_end).status == integrator::StepStatus::ok) {}
  REQUIRE(radau.t() == t_end);
  for (std::size_t i = 0; i < swing.y.size(); ++i)
    CHECK(radau.y()[i] == Approx(dopri.y()[i]).epsilon(100 * tol).scale(1));
}
