// What doctest_main.cpp makes of doctest's Approx.
#include <doctest/doctest.h>

using doctest::Approx;

TEST_CASE("Approx allows a share of the number, and no more when it is small") {
  CHECK(1.01e-9 == Approx(1e-9).epsilon(0.02));
  CHECK(1.01e-9 != Approx(1e-9).epsilon(0.002));
  CHECK(0.0 == Approx(0.0));
  CHECK(1e-30 != Approx(0.0));
  CHECK(1e-7 == Approx(0.0).scale(1));
}
