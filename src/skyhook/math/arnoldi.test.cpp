#include "skyhook/math/arnoldi.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook;

TEST_CASE("Arnoldi finds the largest eigenvalues of the chain matrix") {
  // 2 on the diagonal, -1 beside it: 4 sin^2(k pi / (2 (n + 1))).
  const int n = 300;
  const Product chain = [&](std::span<const double> x, std::span<double> y) {
    for (int i = 0; i < n; ++i) y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
  };
  Vector start(n);
  for (int i = 0; i < n; ++i) start[i] = std::sin(1.0 + i * i);
  const RitzPairs found = arnoldi(start, chain, {.wanted = 5, .tolerance = 1e-9, .most = 300});
  REQUIRE(found.converged);
  REQUIRE(found.values.size() == 5);
  for (int k = 0; k < 5; ++k) {
    const double s = std::sin((n - k) * std::numbers::pi / (2 * (n + 1)));
    CHECK(std::abs(found.values[k] - 4 * s * s) < 1e-9);
  }
}

TEST_CASE("Arnoldi finds complex pairs, and ends where the space does") {
  // Rotations by 1 and 2 rad/s and a decay: five states in all.
  const Product rates = [](std::span<const double> x, std::span<double> y) {
    y[0] = x[1], y[1] = -x[0], y[2] = 2 * x[3], y[3] = -2 * x[2], y[4] = -0.5 * x[4];
  };
  const RitzPairs found = arnoldi({1, 2, 3, 4, 5}, rates, {.wanted = 10});
  CHECK(found.converged);
  REQUIRE(found.values.size() == 5);
  CHECK(std::abs(std::abs(found.values[0].imag()) - 2) < 1e-12);
  CHECK(std::abs(std::abs(found.values[2].imag()) - 1) < 1e-12);
  CHECK(std::abs(found.values[4] + 0.5) < 1e-12);
}
