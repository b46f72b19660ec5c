#include "skyhook/integrator/bdf_newton.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/integrator/problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;

// y' = 0, solved with the matrix of alpha = 100 at alpha = 120: an iteration leaves 1/11 of the error with the factor c of
// [Arnold 2006] (18), and 1/5 without it. From 100 tolerances four iterations are enough with it, and not without.
TEST_CASE("the factor c makes a matrix of another alpha serve") {
  const DualProblem<Decay> problem(Decay{.rate = 0});
  Options options;
  options.relative_tolerance = options.absolute_tolerance = 1e-6;
  BdfNewton newton(problem, options);
  Cost cost;
  newton.set_weights(std::vector<double>{0.0}, 0.01);
  newton.y[0] = 0, newton.yp[0] = 100 * 1e-7;
  REQUIRE(newton.solve(0, 0.01, 100, cost) == BdfNewton::Solved::yes);
  newton.y[0] = 0, newton.yp[0] = 120 * 1e-4;
  REQUIRE(newton.solve(0, 0.01, 120, cost) == BdfNewton::Solved::yes);
  CHECK(newton.y[0] == doctest::Approx(-1e-4).epsilon(1e-2));
  CHECK(cost.jacobians == 1);
}

namespace {

// One solution of y' = rate y at alpha = 100 from a prediction that is wrong by two tolerances: with a good matrix the first correction is enough, with a rate of
// 0.03 it is not, and the second one is.
void solve_once(BdfNewton& newton, double rate, Cost& cost) {
  newton.set_weights(std::vector<double>{0.0}, 0.01);
  newton.y[0] = 0, newton.yp[0] = 2e-6 * (100 - rate);
  REQUIRE(newton.solve(0, 0.01, 100, cost) == BdfNewton::Solved::yes);
}

// Its derivatives are wrong by 3 %, however often they are evaluated.
struct Deceptive : DualProblem<Decay> {
  using DualProblem::DualProblem;
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace& w) const override {
    const Eval eval = DualProblem::derivatives(p, dF_dy, dF_dyp, w);
    for (double& v : dF_dy.value) v *= 0.97;
    for (double& v : dF_dyp.value) v *= 0.97;
    return eval;
  }
};

Options tolerance_of_a_millionth() {
  Options options;
  options.relative_tolerance = options.absolute_tolerance = 1e-6;
  return options;
}

}  // namespace

TEST_CASE("a matrix that has cost as many corrections as a new one would is renewed, once") {
  DualProblem<Decay> problem(Decay{.rate = -100});
  BdfNewton newton(problem, tolerance_of_a_millionth());
  Cost cost;
  solve_once(newton, -100, cost);
  problem.law.rate = -106;  // the iteration with the matrix of -100 leaves 0.03
  long before = 0;
  for (int k = 0; k < 60; ++k) {
    if (k == 30) before = cost.newton_iterations;
    solve_once(newton, -106, cost);
  }
  CHECK(cost.jacobians == 2);
  CHECK(cost.newton_iterations - before < 50);  // 60 with the old matrix; about every second one measures the rate
}

// From a prediction that is wrong by 0.15 tolerances, before the rate of the iteration is known: the first correction is that much, which counts as what may be left.
TEST_CASE("at orders 1 and 2 four times as much may be left over, unless kappa is given") {
  const auto iterations = [](bool is_low_order, double kappa) {
    const DualProblem<Decay> problem(Decay{.rate = -100});
    Options options = tolerance_of_a_millionth();
    options.kappa = kappa;
    BdfNewton newton(problem, options);
    newton.is_low_order = is_low_order;
    Cost cost;
    newton.set_weights(std::vector<double>{0.0}, 0.01);
    newton.y[0] = 0, newton.yp[0] = 0.15e-6 * (100 - problem.law.rate);
    REQUIRE(newton.solve(0, 0.01, 100, cost) == BdfNewton::Solved::yes);
    return cost.newton_iterations;
  };
  CHECK(iterations(false, 0) == 2);
  CHECK(iterations(true, 0) == 1);
  CHECK(iterations(true, 0.05) == 2);
}

// y' = -100 y with alpha of 100, 200, 400, ... 6400: the derivatives are the same.
TEST_CASE("another alpha alone needs factors and no evaluation, until corrections tell that the derivatives are old") {
  DualProblem<Decay> problem(Decay{.rate = -100});
  BdfNewton newton(problem, tolerance_of_a_millionth());
  Cost cost;
  const auto solve_at = [&](double alpha) {
    newton.set_weights(std::vector<double>{0.0}, 0.01);
    newton.y[0] = 0, newton.yp[0] = 5e-7 * (alpha - problem.law.rate);
    REQUIRE(newton.solve(0, 0.01, alpha, cost) == BdfNewton::Solved::yes);
    CHECK(newton.y[0] == doctest::Approx(-5e-7).epsilon(0.1));  // kappa is 0.05 tolerances
  };
  for (double alpha = 100; alpha < 1e4; alpha *= 2) solve_at(alpha);
  CHECK(cost.jacobians == 1);
  CHECK(cost.factorisations == 7);
  CHECK(cost.newton_iterations == 14);  // the rate is measured with each
  problem.law.rate = -150;              // at alpha = 100 the iteration leaves a quarter
  for (int k = 0; k < 20; ++k) solve_at(k % 2 == 0 ? 100 : 200);
  CHECK(cost.jacobians == 2);
}

// Where differences have given the sum of both matrices, another alpha needs another one.
TEST_CASE("a Jacobian by differences is evaluated anew for another alpha") {
  const DualProblem<Decay> problem(Decay{.rate = -100});
  Options options = tolerance_of_a_millionth();
  options.jacobian = *find_jacobian("dense");
  BdfNewton newton(problem, options);
  Cost cost;
  for (const double alpha : {100., 200., 400.}) {
    newton.set_weights(std::vector<double>{0.0}, 0.01);
    newton.y[0] = 0, newton.yp[0] = 2e-6 * (alpha + 100);
    REQUIRE(newton.solve(0, 0.01, alpha, cost) == BdfNewton::Solved::yes);
  }
  CHECK(cost.jacobians == 3);
}

TEST_CASE("a matrix that does not help is renewed less and less often") {
  const Deceptive problem(Decay{.rate = -100});
  BdfNewton newton(problem, tolerance_of_a_millionth());
  Cost cost;
  constexpr int solutions = 400;
  for (int k = 0; k < solutions; ++k) solve_once(newton, -100, cost);
  CHECK(cost.newton_iterations > 1.9 * solutions);
  CHECK(cost.jacobians <= 1 + 6);  // after 6, 12, ... 192 further corrections
}

// The ratios of alpha are those of DASSL: 0.6 and its inverse (its XRATE of 0.25: (1 - 0.25)/(1 + 0.25)). And it takes three corrections in a solution rather than another Jacobian.
TEST_CASE("a Jacobian by differences is kept by the rules of DASSL") {
  DualProblem<Decay> problem(Decay{.rate = 0});
  Options options = tolerance_of_a_millionth();
  options.jacobian = *find_jacobian("dense");
  BdfNewton newton(problem, options);
  Cost cost;
  const auto jacobians_at = [&](double alpha) {
    newton.set_weights(std::vector<double>{0.0}, 0.01);
    newton.y[0] = 0, newton.yp[0] = 1.8e-6 * alpha;
    REQUIRE(newton.solve(0, 0.01, alpha, cost) == BdfNewton::Solved::yes);
    return cost.jacobians;
  };
  for (int k = 0; k < 30; ++k) CHECK(jacobians_at(k % 2 == 0 ? 100 : 165) == 1);
  CHECK(jacobians_at(100) == 1);
  CHECK(jacobians_at(61) == 1);
  CHECK(jacobians_at(59) == 2);
  CHECK(jacobians_at(97) == 2);
  CHECK(jacobians_at(99) == 3);
}

namespace {

// 100 y³ = 100.2 - y' with y' = 100 y: where the solution is, at 0.68, derivatives are 0.6 of those at 1.
struct Cubic {
  static constexpr int n = 1;
  Structure structure() const { return named(n, "cubic"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] + T(100.0) * y[0] * y[0] * y[0] - T(100.2);
  }
};

// x = 5e-15 and y = 1, but x is asked for in a sum near 100, where numbers lie 1.4e-14 apart.
struct Rounded {
  static constexpr int n = 2;
  Structure structure() const { return named(n, "rounded"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] + T(1e20) * ((y[0] + T(100.0) * y[1]) - T(100.0) - T(5e-15));
    F[1] = yp[1] + T(1e20) * (y[1] - T(1.0));
  }
};

// y = 1 + 1e-16, but for the grid of numbers near 1: nothing is nearer than half of it.
struct LastBits {
  static constexpr int n = 1;
  Structure structure() const { return named(n, "last_bits"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] + T(1e20) * ((y[0] - T(1.0)) - T(1e-16));
  }
};

}  // namespace

TEST_CASE("Newton's method that is persistent goes on with derivatives of where it has come to") {
  const DualProblem<Cubic> problem;
  for (const bool is_persistent : {false, true}) {
    BdfNewton newton(problem, tolerance_of_a_millionth());
    newton.is_persistent = is_persistent;
    Cost cost;
    newton.set_weights(std::vector<double>{1.0}, 0.01);
    newton.y[0] = 1, newton.yp[0] = 100;
    CHECK((newton.solve(0, 0.01, 100, cost) == BdfNewton::Solved::yes) ==
          is_persistent);  // a rate of 0.4 is too slow for four corrections
    if (!is_persistent) continue;
    const double y = newton.y[0];
    CHECK(std::abs(100 * y + 100 * y * y * y - 100.2) < 1e-7);
    CHECK(newton.E[0] == doctest::Approx(y - 1));
    CHECK(cost.jacobians == 2);
  }
}

TEST_CASE("corrections that are rounding are those of a solution, where Newton's method is persistent") {
  const DualProblem<Rounded> problem;
  for (const double tolerance :
       {1e-12, 1e-16}) {  // corrections are 0.002 and 20 tolerances: not where they are more than a tenth
    for (const bool is_persistent : {false, true}) {
      Options options;
      options.relative_tolerance = options.absolute_tolerance = tolerance;
      options.kappa = 1e-4;
      BdfNewton newton(problem, options);
      newton.is_persistent = is_persistent;
      Cost cost;
      newton.set_weights(std::vector<double>{1.0, 1.0}, 0.01);
      newton.y = {0, 1}, newton.yp = {0, 0};
      CHECK((newton.solve(0, 0.01, 100, cost) == BdfNewton::Solved::yes) == (is_persistent && tolerance > 1e-15));
      CHECK(std::abs(newton.y[0]) < 1e-13);
    }
  }
}

// Each correction is 1e-16, 0.005 tolerances, and none becomes less.
TEST_CASE("corrections of the last bits are those of a solution") {
  const DualProblem<LastBits> problem;
  Options options;
  options.relative_tolerance = options.absolute_tolerance = 1e-14;
  options.kappa = 1e-4;
  for (const bool is_quiet : {false, true}) {
    BdfNewton newton(problem, options);
    newton.is_quiet = is_quiet;
    Cost cost;
    newton.set_weights(std::vector<double>{1.0}, 0.01);
    newton.y[0] = 1, newton.yp[0] = 0;
    CHECK(newton.solve(0, 0.01, 100, cost) == BdfNewton::Solved::yes);
    CHECK(cost.newton_failures == 0);
    CHECK(newton.y[0] == doctest::Approx(1).epsilon(1e-15));
  }
}

namespace {

// Pressed into a Hertzian contact, or open: y' = 10 - 1e4 y^(3/2).
struct Pressed {
  static constexpr int n = 1;
  Structure structure() const { return named(n, "pressed"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    using std::sqrt;
    F[0] = yp[0] - T(10.0);
    if (value_of(y[0]) > 0) F[0] += T(1e4) * y[0] * sqrt(y[0]);
  }
};

}  // namespace

// From a prediction that is open: a correction without the contact's stiffness goes 0.1 down, where 5 mm are right. Derivatives by differences are those of the residual.
TEST_CASE("at orders 1 and 2 derivatives are those of where the step begins, which has not lost its contact") {
  const DualProblem<Pressed> problem;
  const std::vector<double> begin{0.01}, at_rest{0.0};
  for (const bool is_low_order : {false, true}) {
    for (const char* jacobian : {"exact", "dense"}) {
      Options options;
      options.relative_tolerance = options.absolute_tolerance = 1e-3;
      options.jacobian = *find_jacobian(jacobian);
      BdfNewton newton(problem, options);
      newton.is_low_order = is_low_order, newton.begin = {0, begin, at_rest};
      Cost cost;
      newton.set_weights(begin, 0.01);
      newton.y[0] = -1e-3, newton.yp[0] = 0;
      const bool is_solved = newton.solve(0.01, 0.01, 100, cost) == BdfNewton::Solved::yes;
      CHECK(is_solved == (is_low_order && options.jacobian.source == JacobianStrategy::Source::exact));
      if (is_solved)
        CHECK(100 * (newton.y[0] + 1e-3) + 1e4 * std::pow(newton.y[0], 1.5) == doctest::Approx(10).epsilon(0.03));
    }
  }
}
