// References: exact solutions, observed orders, and what a start at order 1 costs.
#include "skyhook/integrator/adams_start.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/held_force.testing.h"
#include "skyhook/integrator/ode_problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;
using doctest::Approx;

namespace {

Options tolerance(double tol) { return {.relative_tolerance = tol, .absolute_tolerance = tol}; }

struct Errors {
  double end, slopes;
};

// One start of length h on the circle from t = 1; slopes up to `order` - 1 distances before its end.
Errors errors_of_start(double h, bool refined) {
  const Explicit problem = circle();
  const auto workspace = problem.workspace();
  const std::vector<double> y{std::sin(1.0), std::cos(1.0)}, yp{std::cos(1.0), -std::sin(1.0)}, weight{1, 1};
  AdamsStart start(2);
  Cost cost;
  std::string blame;
  const AdamsStart::Tools tools{problem, *workspace, cost, blame};
  REQUIRE(start.step({1.0, y, yp}, h, weight, tools));
  CHECK(cost.residuals == 6);
  std::vector<std::vector<double>> d(AdamsStart::refined_order + 1, std::vector<double>(2));
  const double distance = h / 3, end = 1 + h;
  if (refined) REQUIRE(start.refine(distance, d.data(), tools));
  if (!refined) start.fill(distance, d.data());
  CHECK(cost.residuals == (refined ? 8 : 6));
  double worst = 0;
  for (int m = 0; m <= 3; ++m) {  // Newton's formula backwards
    double slope = 0, binomial = 1;
    for (int k = 0; k <= 4; binomial *= static_cast<double>(k - m) / (k + 1), ++k) slope += binomial * d[k + 1][0];
    worst = std::max(worst, std::abs(slope - std::cos(end - m * distance)));
  }
  return {std::abs(start.y()[0] - std::sin(end)), worst};
}

}  // namespace

TEST_CASE("the start of adams errs by h^6 at its end, by h^4 in its slopes, by h^5 where they are refined") {
  for (const bool refined : {false, true}) {
    const Errors coarse = errors_of_start(0.2, refined), fine = errors_of_start(0.1, refined);
    CHECK(std::log2(coarse.end / fine.end) == Approx(6.0).epsilon(0.05));
    CHECK(std::log2(coarse.slopes / fine.slopes) == Approx(refined ? 5.0 : 4.0).epsilon(0.1));
  }
}

// 97/120000 h^5 times the fifth derivative is what its two formulas differ by, where f is linear.
TEST_CASE("the start of adams estimates its error by the fifth derivative") {
  const Explicit problem(1, [](double, CSpan y, Span yp) { yp[0] = y[0]; });
  const auto workspace = problem.workspace();
  AdamsStart start(1);
  Cost cost;
  std::string blame;
  const std::vector<double> one{1};
  REQUIRE(start.step({0, one, one}, 0.01, one, {problem, *workspace, cost, blame}));
  CHECK(start.error() == Approx(97. / 120000 * 1e-10).epsilon(0.02));
}

TEST_CASE("adams goes on at order 5 behind a jump, and its polynomial is as good between") {
  const Explicit problem = circle();
  Adams run(problem, tolerance(1e-8), 0, std::vector<double>{0, 1});
  while (run.t() < 3) REQUIRE(run.step(100).status == StepStatus::ok);
  const double from = run.t();
  run.restart(Jump::state, from, std::vector<double>{std::sin(from), std::cos(from)});
  const StepResult first = run.step(100);
  REQUIRE(first.status == StepStatus::ok);
  std::vector<double> y(2), yp(2);
  for (const double s : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const double t = from + s * (first.t - from);
    run.interpolate(t, y, yp);
    CHECK(std::abs(y[0] - std::sin(t)) < 1e-7);
    CHECK(std::abs(yp[0] - std::cos(t)) < 1e-5);
  }
  int order = run.step(100).order;
  CHECK(order == 5);
  for (int k = 0; k < 10; ++k) order = std::max(order, run.step(100).order);
  CHECK(order >= 6);
  CHECK(std::abs(run.y()[0] - std::sin(run.t())) < 1e-7);
}

TEST_CASE("adams starts at order 1 where the limit is near, and where no higher order is allowed") {
  const Explicit problem = circle();
  const auto first_order_behind_a_jump = [&](int max_order, double reach) {
    Options options = tolerance(1e-6);
    options.max_order = max_order;
    Adams run(problem, options, 0, std::vector<double>{0, 1});
    while (run.t() < 3) REQUIRE(run.step(100).status == StepStatus::ok);
    const double t = run.t();
    run.restart(Jump::state, t, std::vector<double>{std::sin(t), std::cos(t)});
    return run.step(t + reach).order;
  };
  CHECK(first_order_behind_a_jump(12, 10) == 4);
  CHECK(first_order_behind_a_jump(12, 1e-3) == 1);
  CHECK(first_order_behind_a_jump(3, 10) == 1);
}

// A start at order 1 took 21 evaluations at 1e-6 (7 tolerances of error) and 34 at 1e-8 (4 tolerances).
TEST_CASE("a sample of a controller costs adams less than half of a start at order 1, and errs no more than before") {
  const auto sampled = [](double tol) { return run_sampled<Adams>(HeldForce(), tolerance(tol), 0.005, 200); };
  const auto evaluations = [](const Sampled& r) {
    return static_cast<double>(r.cost.residuals) / static_cast<double>(r.samples);
  };
  const Sampled coarse = sampled(1e-6), fine = sampled(1e-8);
  CHECK(evaluations(coarse) < 10);
  CHECK(coarse.error < 3e-6);
  CHECK(evaluations(fine) < 18);
  CHECK(fine.error < 1e-7);
}
