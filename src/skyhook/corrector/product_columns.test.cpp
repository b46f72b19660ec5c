#include "skyhook/corrector/product_columns.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/corrector/iteration_matrix.h"

using namespace skyhook;

namespace {

// A point mass on a circle, GGL: y = (x, z, vx, vz, lambda, eta), G = (x, z).
class Pendulum : public DaeProblem {
 public:
  Pendulum() {
    structure_.y.resize(6);
    structure_.y[4].index = structure_.y[5].index = 2;
    structure_.products = {{{5, 4}}, 2, 2, 4};
    PatternBuilder builder(6, 6);
    for (int k = 0; k < 2; ++k) {
      for (int i : {k, 2 + k, 4, 5}) builder.add(i, k);
      for (int i : {k, 2 + k, 4}) builder.add(i, 2 + k);
      builder.add(2 + k, 4), builder.add(k, 5);
    }
    structure_.pattern = std::make_shared<const Pattern>(builder.build());
  }
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  Eval residual(const Point& p, Span F, Workspace&) const override {
    ++residuals;
    const auto& y = p.y;
    for (int k = 0; k < 2; ++k) {
      F[k] = p.yp[k] - y[2 + k] + y[k] * y[5];
      F[2 + k] = p.yp[2 + k] + y[k] * y[4] + (k == 1 ? 9.81 : 0.0);
    }
    F[4] = y[0] * y[2] + y[1] * y[3];
    F[5] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1);
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const auto set = [&](Csc& m, int i, int j, double v) { m.value[structure_.pattern->find(i, j)] = v; };
    for (int k = 0; k < 2; ++k) {
      set(dF_dyp, k, k, 1), set(dF_dyp, 2 + k, 2 + k, 1);
      set(dF_dy, k, k, p.y[5]), set(dF_dy, k, 2 + k, -1), set(dF_dy, k, 5, p.y[k]);
      set(dF_dy, 2 + k, k, p.y[4]), set(dF_dy, 2 + k, 4, p.y[k]);
      set(dF_dy, 4, k, p.y[2 + k]), set(dF_dy, 4, 2 + k, p.y[k]), set(dF_dy, 5, k, p.y[k]);
    }
    return Eval::ok;
  }
  mutable long residuals = 0;

 private:
  Structure structure_;
};

}  // namespace

TEST_CASE("columns that are products cost no residual and are right, [Arnold 2006] §4.1") {
  const Pendulum problem;
  const std::vector<double> y{0.6, -0.8, 1.2, 0.9, 3, 0.1}, yp(6, 0.5);
  std::vector<double> F(6);
  Workspace w;
  Csc dF_dy(problem.structure().pattern), dF_dyp(dF_dy.pattern);
  problem.derivatives({0, y, yp}, dF_dy, dF_dyp, w);
  problem.residual({0, y, yp}, F, w);
  using Source = JacobianStrategy::Source;
  for (const Source source : {Source::dense, Source::grouped, Source::estimated}) {
    CAPTURE(name_of({source, JacobianStrategy::Update::none}));
    IterationMatrix matrix(problem, {source, JacobianStrategy::Update::none});
    Cost cost;
    problem.residuals = 0;
    REQUIRE(matrix.evaluate({0, y, yp}, F, 20, w, cost) == Eval::ok);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j)
        CHECK(matrix.value().at(i, j) == doctest::Approx(dF_dy.at(i, j) + 20 * dF_dyp.at(i, j)).epsilon(1e-6));
    }
    CHECK(cost.residuals == problem.residuals);
    if (source == Source::dense) CHECK(cost.residuals == 5);
    if (source == Source::estimated) CHECK(matrix.value().pattern->row == problem.structure().pattern->row);
  }
}

TEST_CASE("a product column that held other numbers is written anew") {
  const Pendulum problem;
  Csc J(problem.structure().pattern);
  std::fill(J.value.begin(), J.value.end(), 3.0);
  ProductEntries(problem.structure().products, *J.pattern).fill(J);
  CHECK(J.at(0, 5) == -9);
  CHECK(J.at(1, 5) == -9);
  CHECK(J.at(2, 4) == 3);
}
