#include "skyhook/integrator/bdf_starter.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "skyhook/integrator/problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;

namespace {

struct Step {
  double error, estimate;
};

// One step of the oscillator cos(t), or of exp(-t): the error of its first variable in tolerances, and what is told of it.
template <class Law>
Step one_step(Law law, double h) {
  const DualProblem<Law> problem(law);
  constexpr int n = Law::n;
  std::vector<double> y(n, 0.0), yp(n, 0.0);
  y[0] = 1, yp[n - 1] = -1;
  const Options options{.relative_tolerance = 1e-10, .absolute_tolerance = 1e-10, .kappa = 1e-6};
  BdfNewton newton(problem, options);
  BdfStarter starter(n);
  Cost cost;
  REQUIRE(starter.step(problem.structure(), 0, y, yp, h, newton, cost));
  const double exact[] = {n == 1 ? std::exp(-h) : std::cos(h), -std::sin(h)};
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::pow(newton.error_weight[i] * (newton.y[i] - exact[i]), 2);
  return {std::sqrt(sum / n), starter.error()};
}

}  // namespace

// A method of order 4: the error of one step falls by 2^5 when it is halved. The estimate is of order 3: by 2^4.
TEST_CASE("The starter of bdf has order 4, and tells its error from half of it to tenfold") {
  const auto check = [](const auto& law) {
    const Step whole = one_step(law, 0.2), half = one_step(law, 0.1);
    CHECK(std::log2(whole.error / half.error) == doctest::Approx(5).epsilon(0.03));
    CHECK(std::log2(whole.estimate / half.estimate) == doctest::Approx(4).epsilon(0.03));
    for (const double h : {2.0, 1.0, 0.5, 0.2, 0.13}) {
      const Step s = one_step(law, h);
      CHECK(s.estimate > 0.5 * s.error);
      CHECK(s.estimate < 12 * s.error);
    }
  };
  check(Decay{});
  check(Oscillator{});
}

TEST_CASE("Starters reach a near limit in equal steps, and leave a far one to bdf") {
  StarterSteps steps;
  CHECK_FALSE(steps.known());
  steps.accepted({.h = 0.001, .error = 0.6561, .left = 0.001, .is_first = true});  // 0.9^4: the next one as long
  CHECK(steps.first(0.0035) == doctest::Approx(0.0035 / 4));
  CHECK(steps.first(0.00105) == 0.00105);
  CHECK(steps.goes_on());
  steps.accepted({.h = 0.001, .error = 0.6561, .left = 1.0, .is_first = true});
  CHECK_FALSE(steps.goes_on());
  CHECK(steps.first(1.0) == doctest::Approx(0.001));
}

// What is stiff decays: if steps double, a limit 100 steps away is seven steps away.
TEST_CASE("Starters go on while their steps grow") {
  StarterSteps steps;
  steps.accepted({.h = 0.001, .error = 0.6561, .left = 0.1, .is_first = true});
  steps.accepted({.h = 0.001, .error = 0.6561 / 16, .left = 0.1, .is_first = false});
  CHECK(steps.next(0.1) == doctest::Approx(0.002));
  CHECK(steps.goes_on());
  steps.accepted({.h = 0.002, .error = 0.6561, .left = 0.1, .is_first = false});
  CHECK_FALSE(steps.goes_on());
  CHECK(steps.first(0.1) == doctest::Approx(0.001));  // of the first step after the jump
}
