// The strategies of the iteration matrix on the equations of mechanisms.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/corrector/iteration_matrix.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/ggl_explicit.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using Source = JacobianStrategy::Source;
using Update = JacobianStrategy::Update;

namespace {

template <class Form>
struct Counted : Form {
  using Form::Form;
  Eval residual(const Point& x, Span F, Workspace& w) const override {
    ++residuals;
    return Form::residual(x, F, w);
  }
  mutable long residuals = 0;
};

// A point off the manifold of a random mechanism with loops, many of them with balls and their quaternions.
template <class Form>
struct Case {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<Equations> equations;
  Counted<Form> problem;
  std::unique_ptr<Workspace> workspace;
  std::vector<double> y, yp, F;
  Csc exact;
  static constexpr double alpha = 50;

  explicit Case(unsigned seed)
      : model(formalism::testing::random_model(seed, {.bodies = 7, .loops = 4, .rods = 2, .forces = 1, .drives = 1})),
        equations(std::make_shared<Equations>(model, formalism::choose_tree(*model))),
        problem(equations),
        workspace(problem.workspace()),
        y(problem.structure().size()),
        yp(y),
        F(y),
        exact(problem.structure().pattern) {
    Random random(seed);
    for (double& x : y) x = random(), x += std::copysign(0.01, x);  // the increment of a difference follows its size
    for (double& x : yp) x = random();
    problem.residual(point(), F, *workspace);
    Csc dF_dyp(exact.pattern);
    problem.derivatives(point(), exact, dF_dyp, *workspace);
    for (std::size_t k = 0; k < exact.value.size(); ++k) exact.value[k] += alpha * dF_dyp.value[k];
    problem.residuals = 0;
  }
  Point point() const { return {0.37, y, yp}; }
  int ng() const { return equations->ng(); }
};

double distance(const Csc& a, const Csc& b) {
  double worst = 0;
  for (int j = 0; j < a.pattern->cols; ++j) {
    for (int i = 0; i < a.pattern->rows; ++i)
      worst = std::max(worst, std::abs(a.at(i, j) - b.at(i, j)) / (1 + std::abs(b.at(i, j))));
  }
  return worst;
}

}  // namespace

// Forward differences of functions of size 1e2 at unknowns of size 1 (never below 1e-2) carry 1e2 * 1e-16 / 1.5e-10 = 1e-4 at
// worst, 1e-6 in the middle; a wrong column is wrong by about 1.
TEST_CASE_TEMPLATE("differences leave out the columns of eta, also with quaternions ([Arnold 2006] §4.1)", Form,
                   formulation::Ggl, formulation::GglExplicit) {
  bool quaternions = false;
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    Case<Form> c(seed);
    REQUIRE(c.ng() > 0);
    quaternions = quaternions || c.equations->tree().quaternions.size() > 0;
    for (const Source source : {Source::dense, Source::grouped, Source::estimated}) {
      CAPTURE(name_of({source, Update::none}));
      IterationMatrix matrix(c.problem, {source, Update::none});
      Cost cost;
      c.problem.residuals = 0;
      REQUIRE(matrix.evaluate(c.point(), c.F, c.alpha, *c.workspace, cost) == Eval::ok);
      CHECK(distance(matrix.value(), c.exact) < 1e-3);
      CHECK(c.problem.residuals == cost.residuals_for_jacobian);
      const long n = c.problem.structure().size();
      if (source == Source::dense) CHECK(cost.residuals == n - c.ng());
      if (source == Source::grouped) CHECK(cost.residuals <= n - c.ng());
      if (source == Source::estimated) CHECK(cost.residuals <= 2 * (n - c.ng()));
    }
  }
  CHECK(quaternions);
}

// What [Arnold 2006] (26) neglects is of second order in the change of u, what (24) neglects of first.
TEST_CASE("the extended update follows the excitations of rods and drives to first order") {
  int followed = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    Case<formulation::GglExplicit> c(seed);
    const Structure& s = c.problem.structure();
    REQUIRE(s.inputs > 0);
    std::vector<double> u(s.inputs), moved(s.inputs);
    c.problem.inputs(c.point().t, u);
    Csc exact(s.pattern), dF_dyp(s.pattern);
    double error[2][2];  // by update, by change
    for (const bool extended : {false, true}) {
      for (const bool half : {false, true}) {
        IterationMatrix matrix(c.problem, {Source::grouped, extended ? Update::extended : Update::partitioned});
        Cost cost;
        REQUIRE(matrix.evaluate(c.point(), c.F, c.alpha, *c.workspace, cost) == Eval::ok);
        for (std::size_t k = 0; k < u.size(); ++k) moved[k] = u[k] + (half ? 0.02 : 0.04);
        const Point there{c.point().t, c.y, c.yp, moved};
        REQUIRE(matrix.update(there, 0, *c.workspace, cost) == Eval::ok);
        REQUIRE(c.problem.derivatives(there, exact, dF_dyp, *c.workspace) == Eval::ok);
        double sum = 0;
        for (std::size_t k = 0; k < exact.value.size(); ++k)
          sum += std::pow(matrix.value().value[k] - exact.value[k], 2);
        error[extended][half] = std::sqrt(sum);
      }
    }
    if (error[0][0] < 1e-3) continue;  // a drive alone: dF/dy does not depend on u
    ++followed;
    CHECK(error[0][0] / error[0][1] == doctest::Approx(2).epsilon(0.25));
    CHECK(error[1][1] < 0.1 * error[0][1]);
  }
  CHECK(followed >= 4);
}

TEST_CASE("the extended update wants the explicit formalism") {
  const Case<formulation::Ggl> residual_form(1);
  const Case<formulation::GglExplicit> explicit_form(1);
  REQUIRE(residual_form.problem.structure().inputs > 0);
  CHECK_FALSE(why_not(residual_form.problem, {Source::dense, Update::extended}).empty());
  CHECK(why_not(explicit_form.problem, {Source::dense, Update::extended}).empty());
}
