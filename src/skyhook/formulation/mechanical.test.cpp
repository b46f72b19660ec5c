// HEM5 on the equations of motion. References: dopri5 on the accelerations at tight tolerance (another method, another form
// of the equations), observed order, and the constraints themselves.
#include "skyhook/formulation/mechanical.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/moving_linkages.testing.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/hem5.h"

using namespace skyhook;
using doctest::Approx;
using formalism::recursive::Equations;
using formulation::Mechanical;
using formulation::Projected;
using integrator::StepStatus;

namespace {

struct Moving {
  std::shared_ptr<Equations> equations;
  std::vector<double> y;
};

// A four-bar linkage that swings under gravity; with `drive`, its crank turned by a motion.
Moving four_bar(bool driven = false) {
  auto linkage = formalism::testing::four_bar();
  if (driven) linkage.drive(linkage.model->joints[0], "0.3*sin(2*t)");
  const auto topology = formalism::choose_tree(*linkage.model);
  auto all = std::make_shared<Equations>(linkage.model, topology);
  formalism::State state = formalism::initial_guess(*all, 0);
  if (!driven) state.v[0] = 2.0;
  REQUIRE(formalism::assemble(*all, state, {}).ok);
  REQUIRE(formalism::fit_velocities(*all, state, driven ? std::vector<int>{} : std::vector<int>{0}).ok);
  Moving m{std::make_shared<Equations>(linkage.model, topology, formalism::find_rank(*all, state).independent),
           state.q};
  m.y.insert(m.y.end(), state.v.begin(), state.v.end());
  return m;
}

std::vector<double> exact_end(const Moving& m, double t_end) {
  const Projected problem(m.equations, {.positions = formulation::ProjectionOptions::Positions::always});
  integrator::Dopri5 dopri(problem, {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12}, 0, m.y);
  while (dopri.step(t_end).status == StepStatus::ok) {}
  return {dopri.y().begin(), dopri.y().end()};
}

double distance(CSpan a, CSpan b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace

TEST_CASE("hem5 has order five on a closed loop") {
  const Moving m = four_bar();
  const std::vector<double> exact = exact_end(m, 0.5);
  const Mechanical problem(m.equations);
  const auto error = [&](double h) {
    integrator::Hem5 hem(
        problem, {.relative_tolerance = 1e6, .absolute_tolerance = 1e6, .initial_step = h, .largest_step = h}, 0, m.y);
    while (hem.step(0.5).status == StepStatus::ok) {}
    return distance(hem.y(), exact);
  };
  CHECK(std::log2(error(0.0125) / error(0.00625)) == Approx(5.0).epsilon(0.05));
}

TEST_CASE("hem5 follows its tolerance and keeps both constraints, with and without a drive") {
  for (const bool driven : {false, true}) {
    const Moving m = four_bar(driven);
    const std::vector<double> exact = exact_end(m, 3.0);
    const Mechanical problem(m.equations);
    const Projected levels(m.equations, {});
    double before = 1;
    for (const double tol : {1e-5, 1e-7, 1e-9}) {
      integrator::Hem5 hem(problem, {.relative_tolerance = tol, .absolute_tolerance = tol}, 0, m.y);
      integrator::StepResult r;
      auto ws = levels.workspace();
      while (r.status == StepStatus::ok) {
        r = hem.step(3.0);
        const auto drift = levels.drift(hem.t(), hem.y(), *ws);
        CHECK(drift.position < 1e-12);
        CHECK(drift.velocity < 1e-11);
      }
      REQUIRE(r.status == StepStatus::reached_limit);
      const double error = distance(hem.y(), exact);
      INFO("driven ", driven, " tolerance ", tol, " error ", error, " steps ", hem.cost().steps);
      CHECK(error < 300 * tol);
      if (!driven) CHECK(error < before);  // a driven crank leaves no freedom: rounding only
      before = error;
      CHECK(hem.repairs() == hem.cost().steps);
    }
  }
}

TEST_CASE("between steps hem5's positions have order five, its velocities three") {
  const Moving m = four_bar();
  const Mechanical problem(m.equations);
  const auto nq = static_cast<std::size_t>(m.equations->nq());
  const auto errors = [&](double h) {
    integrator::Hem5 hem(
        problem, {.relative_tolerance = 1e6, .absolute_tolerance = 1e6, .initial_step = h, .largest_step = h}, 0, m.y);
    hem.step(1.0);
    std::vector<double> y(m.y.size());
    hem.interpolate(0.4 * h, y, {});
    const std::vector<double> exact = exact_end(m, 0.4 * h);
    return std::pair{distance(CSpan(y).first(nq), CSpan(exact).first(nq)),
                     distance(CSpan(y).subspan(nq), CSpan(exact).subspan(nq))};
  };
  const auto coarse = errors(0.1), fine = errors(0.05);
  CHECK(std::log2(coarse.first / fine.first) > 4.7);    // local error h^6, the step's own h^6 on top
  CHECK(std::log2(coarse.second / fine.second) > 3.7);  // h^4
}

namespace {

// The same equations, where accelerations cannot be found.
struct WithoutAccelerations : Mechanical {
  using Mechanical::Mechanical;
  Eval accelerations(double, CSpan, CSpan, Span, Workspace&) const override { return Eval::recoverable; }
};

}  // namespace

// Cubic through q and v at the ends, local error h^4; a straight line for v, h^2. The steps themselves do not change.
TEST_CASE("where accelerations cannot be found hem5 starts with a small step and interpolates without them") {
  const Moving m = four_bar();
  const WithoutAccelerations problem(m.equations);
  const Mechanical whole(m.equations);
  integrator::Hem5 blind(problem, {}, 0, m.y), seeing(whole, {}, 0, m.y);
  CHECK(blind.step(1.0).h == Approx(1e-6));
  while (blind.step(1.0).status == StepStatus::ok) {}
  while (seeing.step(1.0).status == StepStatus::ok) {}
  CHECK(distance(blind.y(), seeing.y()) < 1e-4);
  CHECK(blind.cost().steps < seeing.cost().steps + 10);

  const auto nq = static_cast<std::size_t>(m.equations->nq());
  const auto errors = [&](double h) {
    integrator::Hem5 hem(
        problem, {.relative_tolerance = 1e6, .absolute_tolerance = 1e6, .initial_step = h, .largest_step = h}, 0, m.y);
    hem.step(1.0);
    std::vector<double> y(m.y.size()), yp(m.y.size());
    hem.interpolate(0.4 * h, y, yp);
    const std::vector<double> exact = exact_end(m, 0.4 * h);
    for (std::size_t i = nq; i < y.size(); ++i) CHECK(yp[i] == Approx((hem.y()[i] - m.y[i]) / h));
    return std::pair{distance(CSpan(y).first(nq), CSpan(exact).first(nq)),
                     distance(CSpan(y).subspan(nq), CSpan(exact).subspan(nq))};
  };
  const auto coarse = errors(0.02), fine = errors(0.01);
  CHECK(std::log2(coarse.first / fine.first) == Approx(4.0).epsilon(0.1));
  CHECK(std::log2(coarse.second / fine.second) == Approx(2.0).epsilon(0.1));
}

namespace {

// A body on a ball: no constraints, one quaternion.
formulation::testing::Moving spinning_top() {
  formalism::testing::Linkage l;
  const int top = l.rod("top", {0, 0, 0}, {0.1, 0.2, 0.3}, 5);
  l.model->bodies[static_cast<std::size_t>(top)].inertia += Mat3d::diagonal({0.1, 0.05, 0.02});
  l.ball("tip", model::ground, top, {0, 0, 0});
  return formulation::testing::moving(l, 9.0);
}

}  // namespace

// Steps along q' = H(q) v leave the unit sphere by the local error: without normalising by 1e-7 here (measured).
TEST_CASE("hem5 leaves every step with quaternions of size 1, with constraints and without") {
  for (const auto& m : {spinning_top(), formulation::testing::ball_four_bar()}) {
    const Mechanical problem(m.equations);
    integrator::Hem5 hem(problem, {.relative_tolerance = 1e-4, .absolute_tolerance = 1e-4}, 0, m.y);
    REQUIRE(m.equations->tree().quaternions.size() == 1);
    const auto at = static_cast<std::size_t>(m.equations->tree().quaternions[0].iq);
    for (StepStatus status = StepStatus::ok; status == StepStatus::ok;) {
      status = hem.step(2.0).status;
      REQUIRE(status != StepStatus::failed);
      double square = 0;
      for (const double p : hem.y().subspan(at, 4)) square += p * p;
      CHECK(std::abs(square - 1) < 1e-14);
    }
    CHECK(hem.cost().steps > 20);
  }
}

namespace {

// A block under a constant force, which does not tell that the positions are no numbers beyond 3 m/s.
struct Lost : Mechanical {
  using Mechanical::Mechanical;
  void kinematics(CSpan, CSpan v, Span qdot) const override { qdot[0] = v[0] > -3 ? v[0] : std::nan(""); }
  void matrices(double t, CSpan, CSpan v, MechanicalTerms& out, Workspace& ws) const override {
    Mechanical::matrices(t, std::vector<double>{0}, v, out, ws);
  }
  Eval force(double, CSpan, CSpan, MechanicalTerms& out, Workspace&) const override {
    out.force[0] = -10 * out.mass.value[0];
    return Eval::ok;
  }
};

}  // namespace

TEST_CASE("an error that is no number is none that hem5 accepts") {
  formalism::testing::Linkage l;
  const int block = l.rod("block", {0, 0, 0}, {0.1, 0.2, 0.3});
  l.slide("guide", model::ground, block, {0, 0, 0}, {0, 1, 0});
  const auto m = formulation::testing::moving(l, 0.0);
  const Lost problem(m.equations);
  integrator::Hem5 hem(problem, {}, 0, m.y);
  integrator::StepResult r;
  while (r.status == StepStatus::ok) r = hem.step(1.0);
  CHECK(r.status == StepStatus::failed);
  CHECK(r.reason.find("the error of the step is not a finite number") != std::string::npos);
  CHECK(std::isfinite(hem.y()[0]));
  CHECK(hem.y()[1] == Approx(-3));
}

// Reference: a workspace that has seen nothing.
TEST_CASE("the terms do not depend on what was asked before") {
  const Moving m = four_bar(true);
  const Mechanical problem(m.equations);
  const std::size_t nq = static_cast<std::size_t>(problem.sizes().nq),
                    nv = static_cast<std::size_t>(problem.sizes().nv);
  std::vector<double> q(m.y.begin(), m.y.begin() + static_cast<long>(nq)), v(nv, 0.4), moved = q;
  problem.plus(moved, v);
  struct At {
    double t;
    std::vector<double> q;
    double speed;
  };
  auto used = problem.workspace();
  for (const At& at : {At{0, q, 1}, At{0, q, 2}, At{0.5, q, 2}, At{0.5, moved, 2}, At{0.5, moved, -1}, At{0.5, q, 1}}) {
    MechanicalTerms a(problem.sizes()), b(problem.sizes());
    v.assign(nv, at.speed);
    auto fresh = problem.workspace();
    problem.matrices(at.t, at.q, v, a, *used);
    REQUIRE(problem.force(at.t, at.q, v, a, *used) == Eval::ok);
    REQUIRE(problem.force(at.t, at.q, v, b, *fresh) == Eval::ok);
    problem.matrices(at.t, at.q, v, b, *fresh);
    CHECK(a.mass.value == b.mass.value);
    CHECK(a.constraints.value == b.constraints.value);
    CHECK(a.force == b.force);
    CHECK(a.position == b.position);
    CHECK(a.velocity == b.velocity);
  }
}
