// Every integrator on smooth, damped mechanisms from loose to tight tolerances. Reference: dopri5 at 1e-13 with both
// projections, confirmed by adams, which agrees to 2e-12. One second of damped motion adds up local errors, no more:
// the error stays below a hundred tolerances, and falls with them down to what the reference is good for.
#include <doctest/doctest.h>

#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/mechanical.h"
#include "skyhook/formulation/moving_linkages.testing.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/hem5.h"
#include "skyhook/integrator/radau5.h"

using namespace skyhook;
using namespace skyhook::formulation;
using namespace skyhook::formulation::testing;
using namespace skyhook::integrator;
using Positions = ProjectionOptions::Positions;

namespace {

constexpr double t_end = 1, good_for = 5e-12;

Options tolerance(double tol) { return {.relative_tolerance = tol, .absolute_tolerance = tol}; }

template <class Integrator>
std::vector<double> end_of(Integrator run, std::size_t n) {
  StepResult r;
  while (r.status == StepStatus::ok) r = run.step(t_end);
  INFO(r.reason);
  REQUIRE(r.status == StepStatus::reached_limit);
  return {run.y().begin(), run.y().begin() + static_cast<long>(n)};
}

// y and y' of a DAE whose first unknowns are q and v; multipliers are found in the first step.
struct Start {
  std::vector<double> y, yp;
  Start(const DaeProblem& problem, const Moving& m) : y(problem.structure().y.size(), 0.0), yp(y) {
    const Projected ode(m.equations, {});
    auto ws = ode.workspace();
    std::copy(m.y.begin(), m.y.end(), y.begin());
    REQUIRE(ode.rhs(0, m.y, Span(yp).first(m.y.size()), *ws) == Eval::ok);
  }
};

struct Mechanism {
  Moving m;
  std::vector<double> exact;
  explicit Mechanism(Moving moving) : m(std::move(moving)) {
    const Projected problem(m.equations, {.positions = Positions::always});
    exact = end_of(Dopri5(problem, tolerance(1e-13), 0, m.y), m.y.size());
    CHECK(distance(end_of(Adams(problem, tolerance(1e-13), 0, m.y), m.y.size()), exact) < good_for);
  }
  // `run` makes the end value for a tolerance.
  void check(const char* name, auto&& run) const {
    double before = 1;
    for (const double tol : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
      const double error = distance(run(tol), exact);
      INFO(name, ", tolerance ", tol, ", error ", error);
      CHECK(error < 100 * tol);
      CHECK(error < std::max(before, good_for));
      before = error;
    }
  }
};

}  // namespace

TEST_CASE("errors follow the tolerance from 1e-3 to 1e-11 with every integrator") {
  for (const Mechanism& mechanism : {Mechanism(four_bar(0.5)), Mechanism(slider_crank(0.5))}) {
    const Moving& m = mechanism.m;
    const auto radau = [&](const DaeProblem& problem) {
      return [&, start = Start(problem, m)](double tol) {
        return end_of(Radau5(problem, tolerance(tol), 0, start.y, start.yp), m.y.size());
      };
    };
    const Ggl ggl(m.equations);
    mechanism.check("radau5/ggl", radau(ggl));
    const auto descriptor = [&](const char* name, DescriptorOptions options) {
      const Descriptor problem(m.equations, options);
      mechanism.check(name, radau(problem));
    };
    descriptor("radau5/index2", {.level = Level::index2});
    descriptor("radau5/index1", {.level = Level::index1});
    descriptor("radau5/baumgarte", {.level = Level::baumgarte});
    descriptor("radau5/index2_projected", {.level = Level::index2, .project = true});
    descriptor("radau5/index1_projected", {.level = Level::index1, .project = true});

    const auto explicit_ones = [&](ProjectionOptions options) {
      const Projected problem(m.equations, options);
      mechanism.check("dopri5",
                      [&](double tol) { return end_of(Dopri5(problem, tolerance(tol), 0, m.y), m.y.size()); });
      mechanism.check("adams", [&](double tol) { return end_of(Adams(problem, tolerance(tol), 0, m.y), m.y.size()); });
    };
    explicit_ones({.positions = Positions::never});
    explicit_ones({.positions = Positions::controlled});
    explicit_ones({.positions = Positions::always});
    explicit_ones({.positions = Positions::never, .velocities = false, .alpha = 20});
    const Mechanical mechanical(m.equations);
    mechanism.check("hem5", [&](double tol) { return end_of(Hem5(mechanical, tolerance(tol), 0, m.y), m.y.size()); });
  }
}

// Index 3 is for study: errors of velocities and multipliers are those of the positions by h and h^2. But it runs.
TEST_CASE("radau5 solves index 3 at tight tolerances, at the cost of index 2") {
  const Mechanism mechanism(four_bar(0.5));
  const Descriptor three(mechanism.m.equations, {.level = Level::index3}),
      two(mechanism.m.equations, {.level = Level::index2});
  const Start start(three, mechanism.m);
  for (const double tol : {1e-5, 1e-8, 1e-11}) {
    Radau5 a(three, tolerance(tol), 0, start.y, start.yp), b(two, tolerance(tol), 0, start.y, start.yp);
    while (a.step(t_end).status == StepStatus::ok) {}
    while (b.step(t_end).status == StepStatus::ok) {}
    REQUIRE(a.t() == t_end);
    CHECK(a.cost().steps <= b.cost().steps);
    CHECK(distance(CSpan(mechanism.exact).first(mechanism.m.nq()), a.y()) < 100 * tol);
  }
}

// A limit may cut a step to almost nothing. What follows must neither continue its polynomial over a million times its
// length nor ask multipliers of a step of 1e-9 s for the accuracy of one of 1e-2 s.
TEST_CASE("a step that a limit cut short does not hurt those that follow in radau5") {
  const Moving m = four_bar(0.5);
  const Ggl problem(m.equations);
  const Start start(problem, m);
  const auto run = [&](double after) {
    Radau5 radau(problem, {}, 0, start.y, start.yp);
    for (int k = 1; k <= 20; ++k) {
      while (radau.step(0.05 * k).status == StepStatus::ok) {}
      if (after > 0) CHECK(radau.step(0.05 * k + after).status == StepStatus::reached_limit);
    }
    return radau.cost();
  };
  const long without = run(0).steps;
  for (const double after : {1e-5, 1e-7, 1e-9}) {
    const Cost cost = run(after);
    INFO("after ", after, ", ", cost.steps, " steps, without the short ones ", without);
    CHECK(cost.newton_failures <= 2);
    CHECK(cost.steps <= without + 2 * 20);  // each short one, and one more behind it at the most
  }
}
