#include "skyhook/integrator/bdf_newton.h"

#include <doctest/doctest.h>

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
