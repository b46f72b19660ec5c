// The strategies of the iteration matrix on the equations of mechanisms.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/corrector/iteration_matrix.h"
#include "skyhook/formalism/random_model.h"
#include "skyhook/formulation/ggl.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using Source = JacobianStrategy::Source;
using Update = JacobianStrategy::Update;

namespace {

struct Counted : formulation::Ggl {
  using Ggl::Ggl;
  Eval residual(const Point& x, Span F, Workspace& w) const override {
    ++residuals;
    return Ggl::residual(x, F, w);
  }
  mutable long residuals = 0;
};

// A point off the manifold of a random mechanism with loops, many of them with balls and their quaternions.
struct Case {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<Equations> equations;
  Counted problem;
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
TEST_CASE("differences leave out the columns of eta, also with quaternions, S1 §4.1") {
  bool quaternions = false;
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Case c(seed);
    REQUIRE(c.ng() > 0);
    quaternions = quaternions || c.equations->tree().quaternions.size() > 0;
    for (const Source source : {Source::dense, Source::grouped, Source::estimated}) {
      CAPTURE(name_of({source, Update::none}));
      IterationMatrix matrix(c.problem, {source, Update::none});
      Cost cost;
      c.problem.residuals = 0;
      REQUIRE(matrix.evaluate(c.point(), c.F, Case::alpha, *c.workspace, cost) == Eval::ok);
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
