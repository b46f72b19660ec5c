#include "skyhook/corrector/pattern_estimate.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace skyhook;

namespace {

// What is hard to judge: F0 has a stiff entry beside small ones that matter, F1 terms that cancel but for rounding, F2 a
// derivative that vanishes at the point only, F3 = y3' - y3 one that cancels with dF/dy'.
class Awkward : public DaeProblem {
 public:
  explicit Awkward(bool tells_mass) : tells_mass_(tells_mass) {
    structure_.y.resize(4);
    PatternBuilder builder(4, 4);  // dF/dy' alone: the rest is for the scan to find
    for (int i = 0; i < 4; ++i) builder.add(i, i);
    structure_.pattern = std::make_shared<const Pattern>(builder.build());
  }
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  Eval residual(const Point& p, Span F, Workspace&) const override {
    if (p.y[2] > 100) return Eval::recoverable;
    const double carried = 7.3 * p.y[1];
    F[0] = 1e6 * p.y[0] + 1e-3 * p.y[3];  // small in its row, not in its column
    F[1] = 1e3 * ((carried + p.y[2]) - carried) + p.y[0];
    F[2] = 1e3 * std::cos(p.y[2]) + 1e3 * p.y[1];
    F[3] = p.yp[3] - p.y[3];
    return Eval::ok;
  }
  Eval derivatives(const Point&, Csc&, Csc&, Workspace&) const override { return Eval::fatal; }
  bool mass(const Point&, Csc& dF_dyp, Workspace&) const override {
    dF_dyp.value = {0, 0, 0, 1};
    return tells_mass_;
  }

 private:
  bool tells_mass_;
  Structure structure_;
};

}  // namespace

TEST_CASE("a scan finds small entries that matter and no rounding errors") {
  const Awkward problem(true);
  Workspace w;
  const std::vector<double> y{0.1, 1.234567, 0, 0.4}, yp(4, 0.0);
  std::vector<double> F(4);
  problem.residual({0, y, yp}, F, w);
  PatternEstimate estimate(problem);
  REQUIRE(estimate.scan({0, y, yp}, F, w) == Eval::ok);
  CHECK(estimate.has_grown());
  CHECK(estimate.residuals() == 4);
  const Pattern& p = *estimate.pattern();
  CHECK(p.find(0, 0) >= 0);
  CHECK(p.find(0, 3) >= 0);
  CHECK(p.find(1, 0) >= 0);
  CHECK(p.find(1, 2) >= 0);
  CHECK(p.find(1, 1) < 0);  // only the rounding of carried + y2
  CHECK(p.find(2, 1) >= 0);
  CHECK(p.find(2, 2) >= 0);  // d cos/dy = 0 at y = 0, found by increments that are not too small
  CHECK(p.find(3, 3) >= 0);  // dF/dy + dF/dy' = 0
  CHECK(p.nonzeros() == 7);
  REQUIRE(estimate.scan({0, y, yp}, F, w) == Eval::ok);
  CHECK_FALSE(estimate.has_grown());
}

TEST_CASE("a scan that cannot evaluate leaves the pattern as it was") {
  const Awkward problem(false);
  Workspace w;
  const std::vector<double> y{0.1, 1.2, 100, 0.4}, yp(4, 0.0), F(4, 0.0);
  PatternEstimate estimate(problem);
  CHECK(estimate.scan({0, y, yp}, F, w) == Eval::recoverable);
  CHECK(estimate.pattern()->nonzeros() == 0);
  CHECK(estimate.residuals() == 3);  // the third failed
}
