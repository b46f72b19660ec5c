// References: the factor of the filter on waves, by hand; parabolas pass.
#include "skyhook/math/smoothing_spline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook;

namespace {

double value(const UniformQuintic& f, double x, int derivative = 0) {
  const auto k = std::min(static_cast<std::size_t>((x - f.first) / f.step), f.cells.size() - 1);
  const double u = x - f.first - static_cast<double>(k) * f.step;
  double sum = 0;
  for (int p = 5; p >= derivative; --p) {
    double factor = 1;
    for (int d = 0; d < derivative; ++d) factor *= p - d;
    sum = sum * u + factor * f.cells[k][static_cast<std::size_t>(p)];
  }
  return sum;
}

template <class F>
UniformQuintic fitted(const F& f, double L, double step = 0.05) {
  std::vector<double> x, y;
  for (double a = 0; a <= 100; a += step) x.push_back(a), y.push_back(f(a));
  return smoothing_spline(x, y, L);
}

}  // namespace

TEST_CASE("Waves pass the smoothing spline with 1/(1 + (L/l)^6)") {
  for (const double length : {0.7, 1.0, 1.4, 2.0, 5.0}) {
    CAPTURE(length);
    const double k = 2 * std::numbers::pi / length;
    const UniformQuintic f = fitted([&](double x) { return std::sin(k * x); }, 1.0);
    const double top = (std::floor(50 / length) + 0.25) * length;  // far from the ends
    // Cells of a quarter of L carry waves of down to half their length: what is left of 0.7 L is good to a percent of the wave.
    const double passes = 1 / (1 + std::pow(1 / length, 6));
    CHECK(std::abs(value(f, top) - passes) < (length < 1 ? 0.01 : 2e-3 * passes));
  }
}

TEST_CASE("Parabolas pass as they are, on unequal points too") {
  std::vector<double> x, y;
  for (int k = 0; k < 60; ++k)
    x.push_back(k + 0.3 * std::sin(5.0 * k)), y.push_back(2 - 3 * x.back() + 0.5 * x.back() * x.back());
  const UniformQuintic f = smoothing_spline(x, y, 3.0);
  for (double a = x.front(); a <= x.back(); a += 0.37)
    CHECK(value(f, a) == doctest::Approx(2 - 3 * a + 0.5 * a * a).epsilon(1e-9));
}

TEST_CASE("Four derivatives are continuous between cells") {
  const UniformQuintic f = fitted([](double x) { return x < 40 ? 0.0 : x - 40; }, 4.0);
  for (std::size_t k = 1; k < f.cells.size(); ++k) {
    const double x = f.first + static_cast<double>(k) * f.step;
    for (int d = 0; d <= 4; ++d)
      CHECK(value(f, x - 1e-9, d) == doctest::Approx(value(f, x + 1e-9, d)).epsilon(1e-5).scale(1e-2));
  }
}
