// References: the condition of optimality of the nearest point, and what [Arnold 2004] §4 proves of drift.
#include "skyhook/formulation/projection.h"

#include <doctest/doctest.h>

#include <numbers>

#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/moving_linkages.testing.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using namespace skyhook::formulation;
using namespace skyhook::formulation::testing;
using integrator::StepStatus;

namespace {

// The free directions at (q, v): columns of the null space of G; and what the metric makes of a step.
double free_part(const Moving& m, CSpan q, const std::vector<double>& step, Metric metric) {
  formalism::AccelerationSolver solver(*m.equations);
  auto ws = m.equations->workspace();
  solver.factor(0, q, ws);
  std::vector<double> force(step.size(), 0.0);
  if (metric == Metric::mass) multiply_add(solver.mass(), step, 1.0, force);
  if (metric == Metric::euclidean) force = step;
  const DenseMatrix free = null_space(DenseMatrix(solver.jacobian()), 1e-10);
  double worst = 0;
  for (int j = 0; j < free.cols; ++j) {
    double product = 0;
    for (int i = 0; i < free.rows; ++i) product += free(i, j) * force[static_cast<std::size_t>(i)];
    worst = std::max(worst, std::abs(product));
  }
  return worst;
}

struct Outcome {
  std::vector<double> y;
  Projected::Drift drift;  // largest along the run
  long repairs, steps;
};

Outcome run(const Moving& m, DescriptorOptions options, double t_end, double tol) {
  const Descriptor problem(m.equations, options);
  const Projected levels(m.equations, {});
  auto ws = levels.workspace();
  std::vector<double> y(static_cast<std::size_t>(problem.structure().size()), 0.0), yp = y;
  std::copy(m.y.begin(), m.y.end(), y.begin());
  REQUIRE(levels.rhs(0, m.y, Span(yp).first(m.y.size()), *ws) == Eval::ok);
  integrator::Radau5 radau(problem, {.relative_tolerance = tol, .absolute_tolerance = tol}, 0, y, yp);
  integrator::StepResult r;
  Projected::Drift worst;
  while (r.status == StepStatus::ok) {
    r = radau.step(t_end);
    const auto drift = levels.drift(radau.t(), radau.y().first(m.y.size()), *ws);
    worst.position = std::max(worst.position, drift.position),
    worst.velocity = std::max(worst.velocity, drift.velocity);
  }
  INFO(r.reason);
  REQUIRE(r.status == StepStatus::reached_limit);
  const CSpan end = radau.y().first(m.y.size());
  return {{end.begin(), end.end()}, worst, radau.repairs(), radau.cost().steps};
}

std::vector<double> exact_end(const Moving& m, double t_end) {
  const Projected problem(m.equations, {.positions = ProjectionOptions::Positions::always});
  integrator::Dopri5 dopri(problem, {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12}, 0, m.y);
  while (dopri.step(t_end).status == StepStatus::ok) {}
  REQUIRE(dopri.t() == t_end);
  return {dopri.y().begin(), dopri.y().end()};
}

}  // namespace

// Nearest means M step = -G^T tau (or step = -G^T tau): no work along the free directions. Steps of 1e-4 bend G by as
// much, so that the condition at the end holds up to 1e-8.
TEST_CASE("a projected position is the nearest one, in the metric asked for") {
  for (const Metric metric : {Metric::mass, Metric::euclidean}) {
    const Moving m = four_bar();
    Projection projection(m.equations, metric);
    std::vector<double> q(m.q().begin(), m.q().end()), step(m.nv());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 1e-4 * std::sin(1.0 + static_cast<double>(i));
    const std::vector<double> before = q, weight(q.size(), 1e6);
    projection.solver().factor(0, q, projection.workspace());
    Repair repair;
    REQUIRE(projection.positions(0, q, m.v(), weight, repair) == Eval::ok);
    projection.evaluate(0, q, m.v());
    CHECK(largest(projection.g()) < 1e-14);
    CHECK(repair.iterations <= 5);
    for (std::size_t i = 0; i < q.size(); ++i) step[i] = q[i] - before[i];
    CHECK(largest(step) > 1e-5);
    CHECK(free_part(m, q, step, metric) < 3e-8);
    CHECK(free_part(m, q, step, metric == Metric::mass ? Metric::euclidean : Metric::mass) > 1e-6);
  }
}

namespace {

// A parallelogram, its bars folded into one line: the constraints that hold it elsewhere depend on each other there.
Moving folded_parallelogram() {
  const Vec3d A{0, 0, 0}, B{0, 0.4, 0}, C{1, 0.4, 0}, D{1, 0, 0};
  formalism::testing::Linkage l;
  const int crank = l.rod("crank", A, B), coupler = l.rod("coupler", B, C), rocker = l.rod("rocker", D, C);
  l.hinge("A", model::ground, crank, A);
  l.hinge("B", crank, coupler, B);
  l.hinge("D", model::ground, rocker, D);
  l.hinge("C", coupler, rocker, C);
  Moving m = moving(l, 2.0);
  const auto& names = m.equations->tree().q_names;
  for (std::size_t i = 0; i < names.size(); ++i) m.y[i] += (names[i] == "B.angle" ? 0.5 : -0.5) * std::numbers::pi;
  return m;
}

}  // namespace

TEST_CASE("a projection that is impossible fails, at a singular position, unless the constraints hold already") {
  const Moving m = folded_parallelogram();
  for (const Metric metric : {Metric::mass, Metric::euclidean}) {
    Projection projection(m.equations, metric);
    std::vector<double> q(m.q().begin(), m.q().end()), v(m.nv(), 0.0);
    const std::vector<double> weight(q.size(), 1e6);
    Repair repair;
    projection.solver().factor(0, q, projection.workspace());
    CHECK(projection.positions(0, q, v, weight, repair) == Eval::ok);
    CHECK(projection.velocities(0, q, v) == Eval::ok);
    CHECK(distance(q, m.q()) < 1e-15);
    v[0] = 1;
    CHECK(projection.velocities(0, q, v) == Eval::recoverable);
    q[0] += 1e-3;  // the matrix of the singular position stands
    CHECK(projection.positions(0, q, v, weight, repair) == Eval::recoverable);
    CHECK(projection.workspace().blame() == "The constraints cannot be restored here (singular position).");
  }
}

// Tolerances far below rounding ask for nothing that cannot be had.
TEST_CASE("a projection ends at rounding, however tight the tolerance") {
  const Moving m = ball_four_bar();
  Projection projection(m.equations, Metric::mass);
  std::vector<double> q(m.q().begin(), m.q().end());
  const std::vector<double> weight(q.size(), 1e20);
  for (double& x : q) x += 1e-3;
  projection.normalise_quaternions(q);
  projection.solver().factor(0, q, projection.workspace());
  Repair repair;
  CHECK(projection.positions(0, q, m.v(), weight, repair) == Eval::ok);
  projection.evaluate(0, q, m.v());
  CHECK(largest(projection.g()) < 1e-14);
}

// [Arnold 2004] §4: index 2 drifts away from g = 0, index 1 from both; with projection neither does, and the error does
// not grow.
TEST_CASE("index 2 and index 1 keep their constraints when they are projected after each step") {
  const double tol = 1e-6, t_end = 2;
  for (const bool in_space : {false, true}) {
    const Moving m = in_space ? ball_four_bar() : four_bar();
    const std::vector<double> exact = exact_end(m, t_end);
    for (const Level level : {Level::index2, Level::index1}) {
      const Outcome free = run(m, {.level = level}, t_end, tol);
      CHECK(free.drift.position > 1e-10);  // rounding alone is 1e-15
      CHECK(free.repairs == 0);
      if (level == Level::index1) CHECK(free.drift.velocity > 1e-10);
      for (const Metric metric : {Metric::mass, Metric::euclidean}) {
        const Outcome o = run(m, {.level = level, .project = true, .metric = metric}, t_end, tol);
        INFO("level ", int(level), " in space ", in_space, " metric ", int(metric), " error ", distance(o.y, exact),
             ", without ", distance(free.y, exact));
        CHECK(o.drift.position < 1e-12);
        CHECK(o.drift.velocity < 1e-12);
        CHECK(o.repairs == o.steps);
        CHECK(distance(o.y, exact) < 100 * tol);
        CHECK(distance(o.y, exact) < 3 * distance(free.y, exact));
      }
    }
  }
}
