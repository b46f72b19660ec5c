// What the last solutions foretell: exact for a polynomial of their order, and nothing where times are too far apart.
#include "skyhook/formalism/past_solutions.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace skyhook;
using formalism::PastSolutions;

namespace {

// One acceleration and one multiplier a million times as large: cubics.
std::vector<double> cubic(double t) { return {1 + t - 2 * t * t + t * t * t, 1e6 * (2 - t * t * t)}; }

}  // namespace

TEST_CASE("Past solutions: a parabola is foretold from three of them, a cubic once its order is known") {
  PastSolutions parabola(1), past(1);
  std::vector<double> x;
  for (const double t : {0.0, 0.1, 0.2}) {
    CHECK_FALSE(parabola.foretells(t));
    parabola.add(t, {t * t, 3 - t});
  }
  REQUIRE(parabola.foretells(0.3));
  parabola.foretell(0.3, x);
  CHECK(x[0] == doctest::Approx(0.09).epsilon(1e-14));
  CHECK(x[1] == doctest::Approx(2.7).epsilon(1e-14));
  for (int k = 0; k < 12; ++k) past.add(0.1 * k, cubic(0.1 * k));
  past.foretell(1.2, x);
  CHECK(x[0] == doctest::Approx(cubic(1.2)[0]).epsilon(1e-13));
  CHECK(x[1] == doctest::Approx(cubic(1.2)[1]).epsilon(1e-13));
}

TEST_CASE("Past solutions: nothing is foretold close behind some that lie far apart, nor of a time before") {
  PastSolutions past(1);
  for (const double t : {0.0, 0.1, 0.2}) past.add(t, {t, t});
  CHECK(past.foretells(0.3));
  CHECK_FALSE(past.foretells(0.2));
  CHECK_FALSE(past.foretells(0.22));  // the three are five times as far apart
  past.add(0.15, {1, 1});             // back: from here they begin anew
  CHECK_FALSE(past.foretells(0.25));
}

TEST_CASE("Past solutions: a change counts by the larger of its shares of accelerations and of multipliers") {
  const PastSolutions past(2);
  CHECK(past.relative_size(std::vector{0.1, -0.4, 3.0}, std::vector{2.0, 1.0, 30.0}) == doctest::Approx(0.2));
  CHECK(past.relative_size(std::vector{0.1, -0.4, -9.0}, std::vector{2.0, 1.0, 30.0}) == doctest::Approx(0.3));
  CHECK(past.relative_size(std::vector{0.0, 0.0, 0.0}, std::vector{0.0, 0.0, 0.0}) == 0.0);
}
