#include "skyhook/corrector/differences.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/base/kept_answers.h"

using namespace skyhook;

namespace {

// F0 = y0' + sin(y1), F1 = y0 y1 + 3 y1', F2 = y2' - exp(y2). `wrong` spoils one derivative, `forget` one entry.
class Example : public DaeProblem {
 public:
  explicit Example(double wrong = 0, bool forget = false) : wrong_(wrong) {
    s_.y.resize(3);
    s_.rows = {"a", "b", "c"};
    PatternBuilder b(3, 3);
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        if (!(forget && i == 0 && j == 1)) b.add(i, j);
    b.add(2, 2);
    s_.pattern = std::make_shared<const Pattern>(b.build());
  }
  const Structure& structure() const override { return s_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  Eval residual(const Point& p, Span F, Workspace&) const override {
    if (p.y[2] > 5) return Eval::recoverable;
    F[0] = p.yp[0] + std::sin(p.y[1]);
    F[1] = p.y[0] * p.y[1] + 3 * p.yp[1];
    F[2] = p.yp[2] - std::exp(p.y[2]);
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const auto set = [&](Csc& m, int i, int j, double v) {
      if (const int k = s_.pattern->find(i, j); k >= 0) m.value[k] = v;
    };
    set(dF_dyp, 0, 0, 1);
    set(dF_dy, 0, 1, std::cos(p.y[1]));
    set(dF_dy, 1, 0, p.y[1] + wrong_);
    set(dF_dy, 1, 1, p.y[0]);
    set(dF_dyp, 1, 1, 3);
    set(dF_dy, 2, 2, -std::exp(p.y[2]));
    set(dF_dyp, 2, 2, 1);
    return Eval::ok;
  }

 private:
  Structure s_;
  double wrong_;
};

struct Case {
  std::vector<double> y{0.5, -1.2, 0.7}, yp{2, 0, -1};
  Point point() const { return {0, y, yp}; }
};

double distance(const Csc& a, const Csc& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k) worst = std::max(worst, std::abs(a.value[k] - b.value[k]));
  return worst;
}

Csc exact(const Example& problem, const Point& p, double alpha) {
  Csc a(problem.structure().pattern), b(problem.structure().pattern);
  Workspace w;
  problem.derivatives(p, a, b, w);
  for (std::size_t k = 0; k < a.value.size(); ++k) a.value[k] += alpha * b.value[k];
  return a;
}

}  // namespace

TEST_CASE("central differences agree with the exact Jacobian to ten digits") {
  const Example problem;
  const Case c;
  Csc J(problem.structure().pattern);
  Workspace w;
  for (double alpha : {0.0, 1.0, 1e5}) {
    CHECK(difference_jacobian(problem, c.point(), alpha, J, w) == Eval::ok);
    CHECK(distance(J, exact(problem, c.point(), alpha)) < 1e-9 * (1 + alpha));
    CHECK(largest_mismatch(problem, c.point(), alpha, w).relative < 1e-9);
  }
}

TEST_CASE("forward differences agree to half of the digits, single or grouped") {
  const Example problem;
  const Case c;
  std::vector<double> F(3);
  Csc J(problem.structure().pattern);
  Workspace w;
  problem.residual(c.point(), F, w);
  for (const ColumnGroups& groups : {single_columns(3), group_columns(*problem.structure().pattern)}) {
    DifferenceJacobian differences(problem, groups);
    REQUIRE(differences.evaluate(c.point(), F, 10.0, J, w) == Eval::ok);
    CHECK(distance(J, exact(problem, c.point(), 10.0)) < 1e-6);
  }
  CHECK(DifferenceJacobian(problem, group_columns(*problem.structure().pattern)).residuals_per_jacobian() == 2);
}

TEST_CASE("largest_mismatch finds a wrong and a forgotten entry") {
  const Case c;
  Workspace w;
  const JacobianMismatch wrong = largest_mismatch(Example(1e-3), c.point(), 1.0, w);
  CHECK(wrong.row == 1);
  CHECK(wrong.column == 0);
  CHECK(wrong.exact - wrong.difference == doctest::Approx(1e-3).epsilon(1e-4));
  const JacobianMismatch forgotten = largest_mismatch(Example(0, true), c.point(), 1.0, w);
  CHECK(forgotten.row == 0);
  CHECK(forgotten.column == 1);
}

TEST_CASE("a residual that cannot be evaluated is passed on") {
  const Example problem;
  Case c;
  c.y[2] = 6;
  Csc J(problem.structure().pattern);
  Workspace w;
  CHECK(difference_jacobian(problem, c.point(), 1.0, J, w) == Eval::recoverable);
}

namespace {

// x1' = -s(x0), where s is searched for, and kept for the last x0 of this thread.
class Searching : public Example {
 public:
  Eval residual(const Point& p, Span F, Workspace& w) const override {
    if (!(is_known && at == p.y[0] && number == KeptAnswers::number()))
      at = p.y[0], number = KeptAnswers::number(), is_known = true, ++searches;
    return Example::residual(p, F, w);
  }
  mutable bool is_known = false;
  mutable double at = 0;
  mutable unsigned number = 0;
  mutable long searches = 0;
};

}  // namespace

TEST_CASE("residuals of differences search anew where answers are to be forgotten, and find the same Jacobian") {
  const Case c;
  Workspace w;
  const auto differences = [&](bool is_to_forget, Csc& J) {
    const Searching problem;
    const KeptAnswers::Forgetting forgetting(is_to_forget);
    std::vector<double> F(3);
    problem.residual(c.point(), F, w);
    DifferenceJacobian(problem, single_columns(3)).evaluate(c.point(), F, 1.0, J, w);
    return problem.searches;
  };
  Csc kept(Example().structure().pattern), forgotten(kept.pattern);
  CHECK(differences(false, kept) == 3);  // at the point, for the column of x0, and back at the point for the other two
  CHECK(differences(true, forgotten) == 1 + 3);
  CHECK(kept.value == forgotten.value);
  // It holds while it lives.
  const unsigned before = KeptAnswers::number();
  KeptAnswers::forget_if_told();
  CHECK(KeptAnswers::number() == before);
}
