// References: exact solutions, polynomials that each order integrates exactly, a closed orbit, cost against dopri5.
#include "skyhook/integrator/adams.h"

#include <doctest/doctest.h>

#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/ode_problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;
using doctest::Approx;

namespace {

Options tolerance(double tol) { return {.relative_tolerance = tol, .absolute_tolerance = tol}; }

StepResult run(Adams& integrator, double t_end) {
  StepResult r;
  while (r.status == StepStatus::ok) r = integrator.step(t_end);
  return r;
}

}  // namespace

// With local extrapolation a step of order k integrates y' = t^k exactly, at any step sizes.
TEST_CASE("adams of order k is exact for polynomials of degree k + 1, with changing steps") {
  for (int order = 1; order <= 5; ++order) {
    const Explicit problem(1, [order](double t, CSpan, Span yp) { yp[0] = (order + 1) * std::pow(t, order); });
    // The order is reached with a loose tolerance; from there on nothing but rounding is added.
    Adams adams(problem,
                {.relative_tolerance = 1e3,
                 .absolute_tolerance = 1e3,
                 .initial_step = 0.01,
                 .largest_step = 0.1,
                 .max_order = order},
                0, std::vector<double>{0});
    double t = 0, y = 0;
    int at_order = 0;
    for (int n = 0; n < 60; ++n) {
      const StepResult r = adams.step(t + (n % 3 == 0 ? 0.05 : 0.1));
      const double exact = std::pow(r.t, order + 1) - std::pow(t, order + 1);
      if (r.order == order && n > 20) {
        CHECK(adams.y()[0] - y == Approx(exact).epsilon(1e-10));
        ++at_order;
      }
      t = r.t, y = adams.y()[0];
    }
    INFO("order ", order);
    CHECK(at_order > 20);
  }
}

TEST_CASE("adams follows its tolerance on the circle, and reaches high orders") {
  const Explicit problem = circle();
  double before = 1;
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    Adams adams(problem, tolerance(tol), 0, std::vector<double>{0, 1});
    int order = 0;
    StepResult r;
    while (r.status == StepStatus::ok) order = std::max(order, (r = adams.step(30.0)).order);
    const double error = std::hypot(adams.y()[0] - std::sin(30.0), adams.y()[1] - std::cos(30.0));
    CHECK(error < 200 * tol);
    CHECK(error < before);
    before = error;
    if (tol <= 1e-10) CHECK(order >= 8);
  }
}

TEST_CASE("adams interpolates as exactly as it steps") {
  const Explicit problem = circle();
  Adams adams(problem, tolerance(1e-9), 0, std::vector<double>{0, 1});
  std::vector<double> y(2), yp(2);
  double worst = 0, worst_slope = 0;
  for (double from = 0; adams.step(10.0).status == StepStatus::ok; from = adams.t()) {
    for (const double s : {0.1, 0.4, 0.9}) {
      const double t = from + s * (adams.t() - from);
      adams.interpolate(t, y, yp);
      worst = std::max(worst, std::abs(y[0] - std::sin(t)));
      worst_slope = std::max(worst_slope, std::abs(yp[0] - std::cos(t)));
    }
  }
  CHECK(worst < 1e-7);
  CHECK(worst_slope < 1e-6);
}

TEST_CASE("adams closes the Arenstorf orbit with fewer evaluations than dopri5 at tight tolerance") {
  const Explicit problem = Arenstorf::problem();
  Adams adams(problem, tolerance(1e-11), 0, Arenstorf::start());
  REQUIRE(run(adams, Arenstorf::period).status == StepStatus::reached_limit);
  CHECK(std::hypot(adams.y()[0] - 0.994, adams.y()[1]) < 1e-4);
  Dopri5 dopri(problem, {.relative_tolerance = 1e-11, .absolute_tolerance = 1e-11}, 0, Arenstorf::start());
  while (dopri.step(Arenstorf::period).status == StepStatus::ok) {}
  CHECK(adams.cost().residuals < 0.5 * dopri.cost().residuals);
}

TEST_CASE("adams repeats a failed step from where it stood") {
  // The right-hand side jumps at t = 1; the solution max(0, t - 1) is exact for any method that finds the jump.
  const Explicit problem(1, [](double t, CSpan, Span yp) { yp[0] = t < 1 ? 0.0 : 1.0; });
  Adams adams(problem, tolerance(1e-8), 0, std::vector<double>{0});
  REQUIRE(run(adams, 3.0).status == StepStatus::reached_limit);
  CHECK(adams.y()[0] == Approx(2.0).epsilon(1e-6));
  CHECK(adams.cost().error_test_failures > 3);
}

TEST_CASE("adams notices stiffness, and only there") {
  const Explicit stiff(1, [](double t, CSpan y, Span yp) { yp[0] = -500 * (y[0] - std::cos(t)); });
  const Explicit mild = circle();
  for (const double tol : {1e-3, 1e-4, 1e-6, 1e-8, 1e-10}) {
    INFO("tolerance ", tol);
    Adams adams(stiff, tolerance(tol), 0, std::vector<double>{1});
    run(adams, 6.0);
    CHECK(adams.is_stiff());
    Adams other(mild, tolerance(tol), 0, std::vector<double>{0, 1});
    run(other, 100.0);
    CHECK_FALSE(other.is_stiff());
  }
}

TEST_CASE("adams goes on from a repaired value and says where a step failed") {
  const RepairedCircle circle_problem;
  Adams adams(circle_problem, tolerance(1e-6), 0, std::vector<double>{0, 1});
  while (adams.step(20.0).status == StepStatus::ok)
    CHECK(std::hypot(adams.y()[0], adams.y()[1]) == Approx(1.0).epsilon(1e-15));
  CHECK(adams.y()[0] == Approx(std::sin(20.0)).epsilon(1e-4));
  CHECK(adams.repairs() == adams.cost().steps);

  const Explicit explosion(1, [](double, CSpan y, Span yp) { yp[0] = y[0] * y[0]; });
  Adams other(explosion, tolerance(1e-6), 0, std::vector<double>{1});
  const StepResult r = run(other, 2.0);
  REQUIRE(r.status == StepStatus::failed);
  CHECK(r.t == Approx(1.0).epsilon(1e-4));
  CHECK(r.reason.find("Step size fell to") == 0);
}

TEST_CASE("adams goes on from a rewritten value, and interpolates the last step as it was before") {
  const ChartedCircle problem;
  const auto [ends, within, rates] = errors_in_charts(Adams(problem, tolerance(1e-9), 0, std::vector<double>{0, 0}));
  CHECK(ends < 1e-8);
  CHECK(within < 1e-8);
  CHECK(rates < 1e-6);
}

// y' = y^2 from y = 1: 1 / (11 - t), beyond all bounds at t = 11. Steps shrink with the time that is left.
TEST_CASE("adams takes no step that does not advance the time") {
  const Explicit problem(1, [](double, CSpan y, Span yp) { yp[0] = y[0] * y[0]; });
  Adams run(problem, {}, 10, std::vector<double>{1});
  StepResult r;
  while (r.status == StepStatus::ok) {
    const double before = run.t();
    r = run.step(12.0);
    if (r.status != StepStatus::failed) REQUIRE(run.t() > before);
  }
  CHECK(r.status == StepStatus::failed);
  CHECK(r.t == Approx(11));
}
