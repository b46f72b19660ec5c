// Reference: the residual form. With M the two forms are the same equations: M (v' - a) = M v' - f + G^T lambda.
#include "skyhook/formulation/ggl_explicit.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/corrector/differences.h"
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/moving_linkages.testing.h"
#include "skyhook/integrator/ida.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using formalism::testing::Recipe;
using formulation::Ggl;
using formulation::GglExplicit;
using formulation::testing::Moving;

namespace {

const Recipe recipes[] = {
    {.bodies = 9, .forces = 2},  // trees of every joint type, in several parts
    {.bodies = 6, .loops = 2, .rods = 2, .forces = 1, .couplers = 1, .drives = 1},
    {.bodies = 6, .loops = 2, .inner = 3},
    {.bodies = 6, .loops = 4, .forces = 1, .friction = true},
};

struct Case {
  std::shared_ptr<Equations> equations;
  Ggl residual_form;
  GglExplicit problem;
  std::vector<double> y, yp;
  Case(unsigned seed, const Recipe& recipe) : Case(formalism::testing::random_model(seed, recipe)) {
    Random random(seed + 70);
    for (double& x : y) x = random();
    for (double& x : yp) x = random();
  }
  explicit Case(const std::shared_ptr<model::Model>& model)
      : equations(std::make_shared<Equations>(model, formalism::choose_tree(*model))),
        residual_form(equations),
        problem(equations),
        y(problem.structure().y.size()),
        yp(y.size()) {}
};

// y after a second of ida, from consistent accelerations and multipliers.
std::vector<double> after_a_second(const DaeProblem& problem, const Moving& from, double tolerance) {
  const Equations& eq = *from.equations;
  auto ws = eq.workspace();
  std::vector<double> y(problem.structure().y.size()), yp(y.size());
  std::copy(from.y.begin(), from.y.end(), y.begin());
  const Span a = Span(yp).subspan(from.nq(), from.nv());
  const Span lambda = Span(y).subspan(from.nq() + from.nv(), static_cast<std::size_t>(eq.ng()));
  formalism::AccelerationSolver solver(eq);
  REQUIRE(solver.solve(0, from.q(), from.v(), a, lambda, ws) == Eval::ok);
  eq.kinematics(from.q(), from.v(), Span(yp).first(from.nq()));
  integrator::Options options;
  options.relative_tolerance = options.absolute_tolerance = tolerance;
  integrator::Ida ida(problem, options, 0, y, yp);
  integrator::StepResult result;
  do result = ida.step(1.0);
  while (result.status == integrator::StepStatus::ok);
  REQUIRE(result.status == integrator::StepStatus::reached_limit);
  const CSpan end = ida.y().first(from.y.size());
  return {end.begin(), end.end()};
}

}  // namespace

// Rounding of sums of some ten terms of size up to 1e2; M has a condition of some hundreds.
TEST_CASE("explicit and residual form are the same equations, off the manifold too") {
  for (const Recipe& recipe : recipes) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      const Case c(seed, recipe);
      std::vector<double> F(c.y.size()), G(c.y.size());
      auto ws = c.problem.workspace(), other = c.residual_form.workspace();
      REQUIRE(c.problem.residual({0.3, c.y, c.yp}, F, *ws) == Eval::ok);
      REQUIRE(c.residual_form.residual({0.3, c.y, c.yp}, G, *other) == Eval::ok);
      Csc mass(c.residual_form.structure().pattern);
      REQUIRE(c.residual_form.mass({0.3, c.y, c.yp}, mass, *other));
      std::vector<double> product(c.y.size());
      multiply_add(mass, F, 1, product);
      const int v = c.residual_form.v(), lambda = c.residual_form.lambda();
      for (int i = 0; i < static_cast<int>(F.size()); ++i) {
        const double mine = i >= v && i < lambda ? product[i] : F[i];
        CHECK(std::abs(mine - G[i]) < 1e-10 * (1 + std::abs(G[i])));
      }
    }
  }
}

// Central differences carry ten digits, see differences.h; entries that the pattern lacks show too.
TEST_CASE("the Jacobian of the explicit form equals differences: trees, loops, quaternions") {
  for (const Recipe& recipe : recipes) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Case c(seed, recipe);
      auto ws = c.problem.workspace();
      for (const double alpha : {0.0, 30.0}) {
        const JacobianMismatch worst = largest_mismatch(c.problem, {0.3, c.y, c.yp}, alpha, *ws);
        INFO("seed ", seed, " row ", worst.row, " column ", worst.column, " exact ", worst.exact, " difference ",
             worst.difference);
        CHECK(worst.relative < 1e-6);
      }
    }
  }
}

TEST_CASE("dF/dy' of the explicit form is the identity on q and v, wherever the point") {
  const Case c(4, recipes[1]);
  CHECK(c.problem.structure().dF_dyp_constant);
  CHECK_FALSE(c.residual_form.structure().dF_dyp_constant);
  auto ws = c.problem.workspace();
  Csc dy(c.problem.structure().pattern), dyp(dy), alone(dy);
  for (double& x : dyp.value) x = NAN;  // an integrator may have worked in it
  for (double& x : alone.value) x = NAN;
  REQUIRE(c.problem.derivatives({0.3, c.y, c.yp}, dy, dyp, *ws) == Eval::ok);
  REQUIRE(c.problem.mass({0.1, c.yp, c.y}, alone, *ws));
  CHECK(dyp.value == alone.value);
  for (int j = 0; j < c.problem.structure().size(); ++j) {
    for (int i = 0; i < c.problem.structure().size(); ++i)
      CHECK(dyp.at(i, j) == (i == j && i < c.residual_form.lambda() ? 1.0 : 0.0));
  }
}

// Two routes to one motion: what lies between them is the integrator's error. That of a method of order five goes with the
// tolerance to the power of 5/6: five decades for the six here, of which two are left to chance. A wrong term would stay.
TEST_CASE("ida finds the same motion with the explicit as with the residual form") {
  formalism::testing::Linkage chain;
  const int upper = chain.rod("upper", {0, 0, 0}, {1, 0, 0}), lower = chain.rod("lower", {1, 0, 0}, {1.5, 0.5, 0});
  chain.hinge("pivot", model::ground, upper, {0, 0, 0});
  chain.hinge("knee", upper, lower, {1, 0, 0});
  using formulation::testing::ball_four_bar, formulation::testing::four_bar, formulation::testing::moving;
  using formulation::testing::distance;
  for (const Moving& m : {moving(chain, 1.0), four_bar(), ball_four_bar()}) {
    const auto between = [&](double tolerance) {
      return distance(after_a_second(Ggl(m.equations), m, tolerance),
                      after_a_second(GglExplicit(m.equations), m, tolerance));
    };
    CHECK(distance(after_a_second(Ggl(m.equations), m, 1e-9), m.y) > 0.1);  // it has moved
    const double coarse = between(1e-5), fine = between(1e-11);
    CAPTURE(coarse);
    CHECK(coarse < 1e-2);
    CHECK(fine < 1e-3 * coarse);
  }
}
