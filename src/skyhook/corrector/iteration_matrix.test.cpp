#include "skyhook/corrector/iteration_matrix.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "skyhook/corrector/rig.testing.h"

using namespace skyhook;
using testing::Rig;
using Source = JacobianStrategy::Source;
using Update = JacobianStrategy::Update;

namespace {

struct State {
  double t;
  std::vector<double> y, yp;
  Point point() const { return {t, y, yp}; }
};
const State start{0.2, {0.7, -0.4, 1.1, 0.3}, {-0.4, 2, 0.3, -1}};
const State later{1.4, {0.9, 0.1, 1.2, -0.2}, {0.1, 1, -0.2, -2}};
const State touching{2.0, {0.2, 0.1, 1.2, -0.2}, {0.1, 1, -0.2, -2}};

// An iteration matrix with what an integrator has around it.
struct Bench {
  const Rig& rig;
  IterationMatrix matrix;
  Workspace workspace;
  Cost cost;
  std::vector<double> F = std::vector<double>(4);

  Bench(const Rig& r, JacobianStrategy strategy) : rig(r), matrix(r, strategy) {}
  CSpan residual(const State& at) {
    rig.residual(at.point(), F, workspace);
    rig.residuals = 0;
    return F;
  }
  void evaluate(const State& at, double alpha) {
    REQUIRE(matrix.evaluate(at.point(), residual(at), alpha, workspace, cost) == Eval::ok);
  }
  void update(const State& at, double alpha) {
    REQUIRE(matrix.can_update());
    REQUIRE(matrix.update(at.point(), alpha, workspace, cost) == Eval::ok);
  }
  void widen(const State& at, double alpha) {
    REQUIRE(matrix.widen(at.point(), residual(at), alpha, workspace, cost) == Eval::ok);
  }
};

// dF/dy at one point, dF/dy' at another.
struct Parts {
  Csc dF_dy, dF_dyp;
};
Parts exact(const Rig& rig, const Point& p) {
  Parts parts{Csc(rig.structure().pattern), Csc(rig.structure().pattern)};
  Workspace w;
  rig.derivatives(p, parts.dF_dy, parts.dF_dyp, w);
  return parts;
}

// Largest difference of entries, each relative to 1 + |entry|.
double distance(const Csc& J, const Csc& dF_dy, double alpha, const Csc& dF_dyp) {
  double worst = 0;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      const double expected = dF_dy.at(i, j) + alpha * dF_dyp.at(i, j);
      worst = std::max(worst, std::abs(J.at(i, j) - expected) / (1 + std::abs(expected)));
    }
  }
  return worst;
}
double distance(const Csc& J, const Rig& rig, const Point& p, double alpha) {
  const Parts parts = exact(rig, p);
  return distance(J, parts.dF_dy, alpha, parts.dF_dyp);
}

constexpr Source all_sources[] = {Source::exact, Source::dense, Source::grouped, Source::estimated};
constexpr Update all_updates[] = {Update::none, Update::partitioned, Update::extended};

// On the pattern of the rig columns 1 and 3 go together and no others; while the stop is open 0 and 2 do as well.
constexpr int groups_of_rig = 3, groups_while_open = 2;

}  // namespace

TEST_CASE("every strategy has the Jacobian of the point and counts what it takes") {
  const Rig rig;
  for (const Source source : all_sources) {
    for (const Update how : all_updates) {
      CAPTURE(name_of({source, how}));
      Bench b(rig, {source, how});
      b.evaluate(start, 40);
      CHECK(distance(b.matrix.value(), rig, start.point(), 40) < 1e-6);
      CHECK(b.matrix.alpha() == 40);
      CHECK(b.matrix.can_update() == (how != Update::none));
      const long each = source == Source::exact ? 0 : source == Source::dense ? 4 : source == Source::grouped ? 3 : 2;
      // A scan of four columns first; two excitations are moved, the Jacobian is differenced at three points.
      const long scans = source == Source::estimated ? 4 : 0;
      const long columns = source == Source::exact ? groups_of_rig : each;
      const long expansion = how == Update::extended ? 3 * columns + 2 : 0;
      CHECK(b.cost.residuals_for_jacobian == each + scans + expansion);
      CHECK(b.cost.residuals == b.cost.residuals_for_jacobian);
      CHECK(rig.residuals == b.cost.residuals);
      CHECK(b.cost.jacobians == 1 + (scans > 0) + (expansion > 0 ? 3 : 0));
      b.evaluate(later, 80);  // scans and expansions are done once
      CHECK(rig.residuals == each);
      CHECK(b.cost.residuals == 2 * each + scans + expansion);
      CHECK(b.cost.jacobians == 2 + (scans > 0) + (expansion > 0 ? 3 : 0));
      CHECK(b.cost.updates == 0);
    }
  }
}

TEST_CASE("a partitioned update keeps dF/dy, takes dF/dy' of the new point and evaluates no residual") {
  for (const bool has_mass : {false, true}) {
    const Rig rig({.has_mass = has_mass});
    for (const Source source : all_sources) {
      CAPTURE(has_mass);
      CAPTURE(name_of({source, Update::partitioned}));
      Bench b(rig, {source, Update::partitioned});
      b.evaluate(start, 40);
      b.update(later, 900);
      CHECK(rig.residuals == b.cost.residuals);
      CHECK(b.cost.updates == 1);
      const Parts old = exact(rig, start.point()), now = exact(rig, later.point());
      CHECK(distance(b.matrix.value(), old.dF_dy, 900, now.dF_dyp) < 1e-6);  // [Arnold 2006] (24), (25)
      if (has_mass) CHECK(distance(b.matrix.value(), old.dF_dy, 900, old.dF_dyp) > 0.01);
      CHECK(distance(b.matrix.value(), rig, later.point(), 900) > 0.05);
    }
  }
}

// Differences of F along (1, alpha) and subtraction of alpha M would leave errors of about 1e-8 alpha in dF/dy.
TEST_CASE("dF/dy by differences does not suffer from a large alpha before the update") {
  const Rig rig({.has_mass = true});
  Bench b(rig, {Source::dense, Update::partitioned});
  b.evaluate(start, 1e9);
  b.update(start, 1.0);
  CHECK(distance(b.matrix.value(), rig, start.point(), 1.0) < 1e-6);
}

TEST_CASE("without dF/dy' alone differences are not updated, exact derivatives keep the last one") {
  const Rig rig({.has_mass = true, .tells_mass = false});
  Bench grouped(rig, {Source::grouped, Update::partitioned}), by_rig(rig, {Source::exact, Update::partitioned});
  grouped.evaluate(start, 40);
  CHECK_FALSE(grouped.matrix.can_update());
  CHECK(distance(grouped.matrix.value(), rig, start.point(), 40) < 1e-6);
  by_rig.evaluate(start, 40);
  by_rig.update(later, 900);
  CHECK(distance(by_rig.matrix.value(), rig, start.point(), 900) < 1e-14);
}

TEST_CASE("an extended update follows the excitations, [Arnold 2006] (26)") {
  const Rig rig;
  for (const Source source : all_sources) {
    CAPTURE(name_of({source, Update::extended}));
    Bench b(rig, {source, Update::extended}), partitioned(rig, {source, Update::partitioned});
    State moved = start;
    b.evaluate(start, 40);
    partitioned.evaluate(start, 40);
    const long before = b.cost.residuals;
    for (const double t : {0.5, 1.9, 3.0}) {
      moved.t = t;
      b.update(moved, 100 * t);
      partitioned.update(moved, 100 * t);
      // The residual is linear in u: what remains are differences of differences, 1e-4 of the second derivatives.
      CHECK(distance(b.matrix.value(), rig, moved.point(), 100 * t) < 1e-4);
    }
    const double change = Rig::k * 0.3 * (std::sin(3.0) - std::sin(start.t)) +
                          std::cos(start.y[0]) * 2 * (std::cos(3.0) - std::cos(start.t));
    CHECK(b.matrix.value().at(1, 0) - partitioned.matrix.value().at(1, 0) == doctest::Approx(change).epsilon(1e-3));
    CHECK(b.cost.residuals == before);
    CHECK(b.cost.updates == 3);
    b.evaluate(later, 40);  // the expansion begins at the excitations of the last evaluation
    b.update(later, 70);
    CHECK(distance(b.matrix.value(), rig, later.point(), 70) < 1e-6);
  }
}

TEST_CASE("excitations in place of u(t) are taken in evaluations and updates") {
  const Rig rig;
  const std::vector<double> u{0.5, -1}, u_new{-0.2, 3};
  Point here = start.point(), there = start.point();
  here.u = u, there.u = u_new;
  Bench b(rig, {Source::grouped, Update::extended});
  rig.residual(here, b.F, b.workspace);
  REQUIRE(b.matrix.evaluate(here, b.F, 40, b.workspace, b.cost) == Eval::ok);
  CHECK(distance(b.matrix.value(), rig, here, 40) < 1e-6);
  REQUIRE(b.matrix.update(there, 40, b.workspace, b.cost) == Eval::ok);
  CHECK(distance(b.matrix.value(), rig, there, 40) < 1e-4);
}

TEST_CASE("an extended update is refused where the mass matrix follows the excitations") {
  const Rig residual_formalism({.has_mass = true}), resting({.has_mass = true, .is_excited = false}), explicit_one;
  const JacobianStrategy extended{Source::grouped, Update::extended};
  CHECK(why_not(residual_formalism, extended).find("explicit formalism") != std::string::npos);
  CHECK_THROWS_AS(IterationMatrix(residual_formalism, extended), std::invalid_argument);
  CHECK(why_not(explicit_one, extended).empty());
  CHECK(why_not(residual_formalism, {Source::grouped, Update::partitioned}).empty());
  // Without excitations it is the partitioned update.
  CHECK(why_not(resting, extended).empty());
  Bench b(resting, extended), partitioned(resting, {Source::grouped, Update::partitioned});
  for (Bench* each : {&b, &partitioned}) each->evaluate(start, 40), each->update(later, 90);
  CHECK(b.matrix.value().value == partitioned.matrix.value().value);
  CHECK(b.cost.residuals == partitioned.cost.residuals);
}

TEST_CASE("an estimated pattern is widened when an element has become active") {
  const Rig rig({.has_mass = true});
  Bench b(rig, {Source::estimated, Update::partitioned});
  b.evaluate(start, 40);
  CHECK(b.matrix.value().pattern->nonzeros() == 8);  // two blocks of 2 x 2
  CHECK_FALSE(b.matrix.may_lack_entries());          // it was estimated here
  b.evaluate(touching, 40);
  CHECK(b.matrix.may_lack_entries());
  CHECK(b.matrix.value().at(1, 2) == 0);  // but -400
  const Cost before = b.cost;
  b.widen(touching, 40);
  CHECK(b.matrix.value().pattern->nonzeros() == 10);
  CHECK(distance(b.matrix.value(), rig, touching.point(), 40) < 1e-6);
  CHECK_FALSE(b.matrix.may_lack_entries());
  CHECK(b.cost.jacobians - before.jacobians == 2);
  CHECK(b.cost.residuals_for_jacobian - before.residuals_for_jacobian == 4 + groups_of_rig);
  CHECK(rig.residuals == 4 + groups_of_rig);
  b.update(touching, 70);
  CHECK(distance(b.matrix.value(), rig, touching.point(), 70) < 1e-6);
  State sooner = touching;
  sooner.t -= 0.1;
  b.evaluate(sooner, 400);
  CHECK_FALSE(b.matrix.may_lack_entries());  // a smaller step after a failure: it was scanned beyond
  b.evaluate(start, 40);
  CHECK(b.matrix.value().pattern->nonzeros() == 10);  // what was found stays
}

TEST_CASE("second derivatives are found anew when the pattern grows") {
  const Rig rig;
  Bench b(rig, {Source::estimated, Update::extended});
  b.evaluate(start, 40);
  State moved = touching;
  b.evaluate(touching, 40);
  b.widen(touching, 40);
  moved.t += 1;
  b.update(moved, 90);
  CHECK(distance(b.matrix.value(), rig, moved.point(), 90) < 1e-4);
}

TEST_CASE("exact matrices are combined with another alpha as they are, sums by differences are not") {
  const Rig rig({.has_mass = true});
  for (const Source source : all_sources) {
    Bench b(rig, {source, Update::none});
    CHECK_FALSE(b.matrix.can_combine());
    b.evaluate(start, 40);
    CHECK(b.matrix.can_combine() == (source == Source::exact));
    if (!b.matrix.can_combine()) continue;
    b.matrix.combine(90);
    CHECK(b.matrix.alpha() == 90);
    CHECK(distance(b.matrix.value(), rig, start.point(), 90) < 1e-12);
    CHECK(b.cost.jacobians == 1);
  }
}

TEST_CASE("the factors solve J x = b on every pattern") {
  const Rig rig({.has_mass = true});
  for (const Source source : all_sources) {
    Bench b(rig, {source, Update::partitioned});
    for (const State& at : {start, touching}) {
      b.evaluate(at, 40);
      if (b.matrix.may_lack_entries()) b.widen(at, 40);
      REQUIRE(b.matrix.factor(0.1, b.cost));
      const std::vector<double> x{1, -2, 3, 0.5};
      std::vector<double> rhs(4, 0.0);
      multiply_add(b.matrix.value(), x, 1.0, rhs);
      b.matrix.solve(rhs);
      for (int i = 0; i < 4; ++i) CHECK(rhs[i] == doctest::Approx(x[i]).epsilon(1e-12));
    }
    CHECK(b.cost.factorisations == 2);
  }
}

namespace {

// Implicit Euler with a constant step. A matrix is evaluated for each step; where Newton's method does not converge with it,
// at the last iterate; then, by the rule of [Arnold 2006] §3.1, on a wider pattern.
class Euler {
 public:
  Euler(const Rig& rig, JacobianStrategy strategy) : bench_(rig, strategy) {}
  State run(State x, double h, int steps) {
    for (int k = 0; k < steps; ++k) step(x, h);
    return x;
  }
  int widened = 0, failed = 0;
  const Cost& cost() const { return bench_.cost; }

 private:
  void step(State& x, double h) {
    const std::vector<double> old = x.y;
    x.t += h;
    bench_.evaluate(x, 1 / h);
    if (converges(x, old, h)) return;
    bench_.evaluate(x, 1 / h);
    if (converges(x, old, h)) return;
    if (bench_.matrix.may_lack_entries()) ++widened, bench_.widen(x, 1 / h);
    if (!converges(x, old, h)) ++failed;
  }
  bool converges(State& x, const std::vector<double>& old, double h) {
    if (!bench_.matrix.factor(h, bench_.cost)) return false;
    for (int k = 0; k < 6; ++k) {
      bench_.rig.residual(x.point(), bench_.F, bench_.workspace);
      bench_.matrix.solve(bench_.F);
      double size = 0;
      for (int i = 0; i < 4; ++i) {
        x.y[i] -= bench_.F[i];
        x.yp[i] = (x.y[i] - old[i]) / h;
        size = std::max(size, std::abs(bench_.F[i]));
      }
      if (size < 1e-10) return true;
    }
    return false;
  }
  Bench bench_;
};

}  // namespace

TEST_CASE("the stop closes: one scan is made, and the motion is that with exact derivatives") {
  const Rig rig;
  const State before{0, {0.3, 0, 0.6, 1.5}, {0, 0, 1.5, 0}};
  Euler exact(rig, {Source::exact, Update::partitioned}), estimated(rig, {Source::estimated, Update::partitioned});
  const State x = exact.run(before, 0.05, 100), z = estimated.run(before, 0.05, 100);
  for (int i = 0; i < 4; ++i) CHECK(z.y[i] == doctest::Approx(x.y[i]).epsilon(1e-8));
  CHECK(exact.failed == 0);
  CHECK(estimated.failed == 0);
  CHECK(estimated.widened == 1);
  // Two scans of four; two groups while the stop has not closed, three from then on: fewer than dense differences.
  CHECK(estimated.cost().residuals_for_jacobian < 4 * (estimated.cost().jacobians - 2));
}
