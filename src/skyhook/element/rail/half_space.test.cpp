// References: Hertz's closed form, of an ellipse; two paraboloids that are far from each other, of which each is Hertz's.
#include "skyhook/element/rail/half_space.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

template <class Gap>
GapGrid grid_of(int n, double lx, double ly, const Gap& gap) {
  GapGrid g{-lx / 2 + lx / n / 2, -ly / 2 + ly / n / 2, lx / n, ly / n, n, n, {}};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) g.gap.push_back(gap(g.x(i), g.y(k)));
  return g;
}

}  // namespace

TEST_CASE("On a paraboloid the half-space gives Hertz's ellipse") {
  const double A = 0.5 / 0.46, B = 0.5 / 0.25, load = 1e4;
  const auto hertz = patch_of_load(hertz_shape(A, B, Elastic{}), load);
  const auto gap = [&](double x, double y) { return A * x * x + B * (y - 1e-4) * (y - 1e-4); };
  double error_before = 0;
  for (const int n : {15, 45}) {
    const HalfSpaceContact c = solve_half_space(grid_of(n, 2.4 * hertz.a, 2.4 * hertz.b, gap), load, {});
    const double error = std::abs(c.approach / hertz.approach - 1);
    CHECK(error < (n == 15 ? 2e-2 : 2e-3));
    CHECK(c.largest == Approx(hertz.pressure).epsilon(n == 15 ? 0.03 : 0.005));
    CHECK(c.area == Approx(std::numbers::pi * hertz.a * hertz.b).epsilon(n == 15 ? 0.1 : 0.03));
    CHECK(c.y == Approx(1e-4).epsilon(0.02));
    CHECK(std::abs(c.x) < 1e-9);
    CHECK_FALSE(c.touches_edge);
    if (n == 45) CHECK(error < error_before / 3);  // of first order at least
    error_before = error;
  }
}

TEST_CASE("A small grid tells that it is too small") {
  const auto gap = [](double x, double y) { return x * x + y * y; };
  CHECK(solve_half_space(grid_of(11, 2e-3, 2e-3, gap), 1e4, {}).touches_edge);
}
