#include "skyhook/math/inertia.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook;

namespace {

// -1, 2, -1 less a shift: its eigenvalues are 2 - 2 cos(k pi / (n + 1)) - shift.
Csc second_difference(int n, double shift) {
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(j - 1, 0); i <= std::min(j + 1, n - 1); ++i) builder.add(i, j);
  }
  Csc a(std::make_shared<Pattern>(builder.build()));
  for (int j = 0; j < n; ++j) {
    for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k)
      a.value[k] = a.pattern->row[k] == j ? 2 - shift : -1.0;
  }
  return a;
}

}  // namespace

TEST_CASE("Signs of pivots count the eigenvalues below a shift") {
  const int n = 400;
  for (const double shift : {0.0, 0.01, 0.5, 2.3, 3.99, 5.0}) {
    CAPTURE(shift);
    int below = 0;
    for (int k = 1; k <= n; ++k) below += 2 - 2 * std::cos(k * std::numbers::pi / (n + 1)) < shift;
    CHECK(negative_eigenvalues(second_difference(n, shift)) == below);
  }
}

TEST_CASE("A pivot that vanishes is told") {
  PatternBuilder builder(2, 2);
  builder.add(0, 0), builder.add(1, 1);
  const Csc zero(std::make_shared<Pattern>(builder.build()));
  CHECK(!negative_eigenvalues(zero));
}
