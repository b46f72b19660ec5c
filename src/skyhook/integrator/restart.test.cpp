// Restarts of all six integrators alike, on a quarter car whose force a controller holds (SPEC I9).
#include <doctest/doctest.h>

#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/held_force.testing.h"
#include "skyhook/integrator/hem5.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;

#define ALL_INTEGRATORS Bdf, Ida, Radau5, Dopri5, Adams, Hem5

namespace {

constexpr double sample_time = 0.005;

Options tolerance(double tol) { return {.relative_tolerance = tol, .absolute_tolerance = tol}; }

template <class Integrator>
StepStatus run_to(Integrator& run, double t) {
  StepStatus status;
  while ((status = run.step(t).status) == StepStatus::ok) {}
  return status;
}

HeldForce::Vector vector_of(CSpan y) {
  HeldForce::Vector out;
  std::copy(y.begin(), y.end(), out.begin());
  return out;
}

// In its stride at t = 0.1 or a little later.
template <class Integrator>
Integrator running(HeldForce& problem, double tol) {
  problem.hold(0.05);
  auto run = begin_at<Integrator>(problem, tolerance(tol), 0, {});
  while (run.t() < 0.1) REQUIRE(run.step(1.0).status == StepStatus::ok);
  return run;
}

Sampled sampled_bdf(const QuarterCar& car, double tol) {
  return run_sampled<Bdf>(HeldForce(car), tolerance(tol), sample_time, 200);
}
Sampled sampled_ida(const QuarterCar& car, double tol) {
  return run_sampled<Ida>(HeldForce(car), tolerance(tol), sample_time, 200);
}

}  // namespace

// The exact solution from the value that was interpolated: what the integrators do after the restart is all that differs.
TEST_CASE_TEMPLATE("A restart inside the last step goes on as a fresh integrator does", I, ALL_INTEGRATORS) {
  for (const Jump jump : {Jump::input, Jump::state, Jump::mode}) {
    constexpr double tol = 1e-7;
    HeldForce problem;
    auto run = running<I>(problem, tol);
    const double begin = run.t();
    REQUIRE(run.step(1.0).status == StepStatus::ok);
    const double event = 0.7 * begin + 0.3 * run.t();
    HeldForce::Vector y, again, slope;
    run.interpolate(event, y, {});
    problem.hold(0.3);
    restart_at(run, problem, jump, event, y);
    CHECK(run.t() == event);
    run.interpolate(event, again, slope);
    CHECK(distance(again, y) == 0);
    problem.rate(y, problem.held, again);
    CHECK(distance(again, slope) < 1e-12);

    auto fresh = begin_at<I>(problem, tolerance(tol), event, y);
    REQUIRE(run_to(run, event + 0.1) == StepStatus::reached_limit);
    REQUIRE(run_to(fresh, event + 0.1) == StepStatus::reached_limit);
    const HeldForce::Vector exact = problem.exact(y, 0.1);
    CHECK(distance(exact, run.y()) < 100 * tol);
    CHECK(distance(vector_of(fresh.y()), run.y()) < 100 * tol);
  }
}

TEST_CASE_TEMPLATE("What has been spent adds up over restarts", I, ALL_INTEGRATORS) {
  HeldForce problem;
  auto run = running<I>(problem, 1e-6);
  long steps = run.cost().steps;
  for (int k = 0; k < 5; ++k) {
    const Cost before = run.cost();
    restart_at(run, problem, Jump::state, run.t(), vector_of(run.y()));
    CHECK(run.cost().steps == steps);
    REQUIRE(run.step(1.0).status == StepStatus::ok);
    REQUIRE(run.step(1.0).status == StepStatus::ok);
    steps += 2;
    CHECK(run.cost().steps == steps);
    CHECK(run.cost().residuals > before.residuals);
    CHECK(run.cost().error_test_failures >= before.error_test_failures);
    CHECK(run.cost().newton_iterations >= before.newton_iterations);
    CHECK(run.cost().jacobians >= before.jacobians);
    CHECK(run.cost().factorisations >= before.factorisations);
    CHECK(run.cost().seconds > before.seconds);
  }
}

TEST_CASE_TEMPLATE("A jump of an input leaves dF/dy alone, other jumps do not", I, Bdf, Radau5) {
  for (const Jump jump : {Jump::input, Jump::state, Jump::mode}) {
    HeldForce problem;
    problem.hold(0.05);
    auto run = begin_at<I>(problem, tolerance(1e-4), 0, {});
    const auto next_sample = [&](int k) {
      REQUIRE(run_to(run, k * sample_time) == StepStatus::reached_limit);
      restart_at(run, problem, jump, run.t(), vector_of(run.y()));
    };
    for (int k = 1; k <= 20; ++k) next_sample(k);  // steps are those of the sampling by then
    const Cost before = run.cost();
    for (int k = 21; k <= 30; ++k) next_sample(k);
    CHECK(run.cost().jacobians - before.jacobians == (jump == Jump::input ? 0 : 10));
    if (jump == Jump::input) CHECK(run.cost().factorisations == before.factorisations);
  }
}

TEST_CASE_TEMPLATE("A limit that cuts a step does not shorten the first one after it", I, Radau5, Dopri5, Hem5) {
  HeldForce problem;
  auto run = running<I>(problem, 1e-6);
  const double wanted = run.step(1.0).h;
  const double limit = run.t() + 1e-3 * wanted;
  REQUIRE(run.step(limit).status == StepStatus::reached_limit);
  restart_at(run, problem, Jump::input, limit, vector_of(run.y()));
  CHECK(run.step(1.0).h > 0.5 * wanted);
}

// Errors are those of 200 restarted intervals, each within its tolerance: they add up over the time in which the body's
// vibration decays, half a second or 100 samples.
TEST_CASE_TEMPLATE("A sampled oscillator follows its exact solution", I, ALL_INTEGRATORS) {
  for (const QuarterCar& car : {QuarterCar{}, stiff_quarter_car()}) {
    for (const double tol : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(tol);
      const Sampled r = run_sampled<I>(HeldForce(car), tolerance(tol), sample_time, 200);
      CHECK_FALSE(r.failed);
      CHECK(r.error < 100 * tol);
    }
  }
}

// Both begin with the same starter. IDA by itself, at order 1, took 2.3 to 4 times the steps and twice the evaluations here.
TEST_CASE("After samples ida takes no more steps and evaluations than bdf, but for what IDA takes over") {
  for (const QuarterCar& car : {QuarterCar{}, stiff_quarter_car()}) {
    for (const double tol : {1e-4, 1e-5, 1e-6, 1e-8}) {
      CAPTURE(tol);
      const Sampled bdf = sampled_bdf(car, tol), ida = sampled_ida(car, tol);
      CHECK(ida.cost.steps <= 1.1 * static_cast<double>(bdf.cost.steps));
      CHECK(ida.cost.residuals <= 1.2 * static_cast<double>(bdf.cost.residuals));
      CHECK(ida.error <= 2 * bdf.error);
    }
  }
}

// A pendulum that is restarted every millisecond with nothing changed: what its restarts cost is all that differs from the
// exact solution of the linear one, cos(t). 10 000 of them err by less than the tolerance 100 times: a hundredth of it each at
// most. IDA by itself was 12 000 tolerances off.
TEST_CASE_TEMPLATE("Ten thousand restarts do not add up", I, ALL_INTEGRATORS) {
  for (const double tol : {1e-6, 1e-8}) {
    CAPTURE(tol);
    const QuarterCar car{.body = 1, .wheel = 1, .spring = 0, .tyre = 1, .damper = 0, .amplitude = 0};
    HeldForce problem(car);
    HeldForce::Vector y{0, 1, 0, 0};
    auto run = begin_at<I>(problem, tolerance(tol), 0, y);
    double worst = 0;
    for (int k = 1; k <= 10000; ++k) {
      REQUIRE(run_to(run, 1e-3 * k) == StepStatus::reached_limit);
      y = vector_of(run.y());
      worst = std::max(worst, std::abs(y[1] - std::cos(1e-3 * k)));
      restart_at(run, problem, Jump::input, run.t(), y);
    }
    CHECK(worst < 100 * tol);
    CHECK(run.cost().steps < 50000);
  }
}

// Taken in the midst of steps, where histories, matrices and step controls are as they have become.
TEST_CASE_TEMPLATE("A copy goes on as the original does, bit by bit", I, Bdf, Radau5, Dopri5, Adams, Hem5) {
  for (const QuarterCar& car : {QuarterCar{}, stiff_quarter_car()}) {
    HeldForce problem(car);
    problem.hold(0.1);
    const HeldForce::Vector y{0.01, 0, 0, 0};
    I run = begin_at<I>(problem, tolerance(1e-6), 0, y);
    for (int k = 0; k < 15; ++k) REQUIRE(run.step(10).status == StepStatus::ok);
    I copy = run, beyond = run;
    for (int k = 0; k < 20; ++k) beyond.step(10);  // leaves the others alone
    for (int k = 0; k < 20; ++k) {
      const auto a = run.step(10), b = copy.step(10);
      CHECK(a.t == b.t);
      CHECK(vector_of(run.y()) == vector_of(copy.y()));
    }
    CHECK(beyond.t() == run.t());
    restart_at(run, problem, Jump::state, run.t(), y);
    restart_at(copy, problem, Jump::state, copy.t(), y);
    CHECK(run.step(10).t == copy.step(10).t);
    CHECK(run.cost().residuals == copy.cost().residuals);
    beyond = copy;
    CHECK(beyond.step(10).t == run.step(10).t);
  }
}
