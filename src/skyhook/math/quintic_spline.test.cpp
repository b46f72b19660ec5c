// References: a parabola is its own spline, a sine by the order of the error, and the continuity of derivatives.
#include "skyhook/math/quintic_spline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook;

namespace {

using Fourth = Dual<1, Dual<1, Dual<1, Dual<1>>>>;

std::array<double, 5> derivatives(const QuinticSpline& f, double at) {
  Fourth x(at);
  x.d[0] = Dual<1, Dual<1, Dual<1>>>(1.0);
  x.v.d[0] = Dual<1, Dual<1>>(1.0), x.v.v.d[0] = Dual<1>(1.0), x.v.v.v.d[0] = 1.0;
  const Fourth y = f.evaluate(x);
  return {y.v.v.v.v, y.v.v.v.d[0], y.v.v.d[0].d[0], y.v.d[0].d[0].d[0], y.d[0].d[0].d[0].d[0]};
}

double error_of_sine(int pieces) {
  std::vector<double> x, y;
  for (int k = 0; k <= pieces; ++k)
    x.push_back(2 * std::numbers::pi * k / pieces), y.push_back(k == pieces ? 0.0 : std::sin(x.back()));
  const QuinticSpline f(x, y, true);
  double most = 0;
  for (int k = 0; k < 1000; ++k) {
    const double at = 2 * std::numbers::pi * (k + 0.5) / 1000;
    most = std::max(most, std::abs(f.evaluate(at) - std::sin(at)));
  }
  return most;
}

}  // namespace

TEST_CASE("a parabola is its own quintic spline, on uneven points and beyond them") {
  const std::vector<double> x{0, 0.3, 1, 1.2, 3};
  std::vector<double> y;
  for (const double t : x) y.push_back(2 - t + 3 * t * t);
  const QuinticSpline f(x, y, false);
  for (const double t : {-0.5, 0.0, 0.1, 0.7, 1.1, 2.9, 3.4})
    CHECK(f.evaluate(t) == doctest::Approx(2 - t + 3 * t * t));
}

TEST_CASE(
    "a quintic spline goes through its points with four continuous derivatives, round and round where it is periodic") {
  const std::vector<double> x{0, 0.5, 1.7, 2, 3.1}, y{1, -2, 0.5, 0.4, 1};
  for (const bool periodic : {false, true}) {
    const QuinticSpline f(x, y, periodic);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(f.evaluate(x[k]) == doctest::Approx(y[k]));
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!periodic && (k == 0 || k + 1 == x.size())) {
        const auto end = derivatives(f, x[k]);
        CHECK(std::abs(end[3]) < 1e-9);
        CHECK(std::abs(end[4]) < 1e-8);
        continue;
      }
      const double beyond = periodic && k + 1 == x.size() ? x.back() : 0;
      const auto left = derivatives(f, (k == 0 ? x.back() : x[k]) - 1e-12), right = derivatives(f, x[k] - beyond);
      for (std::size_t d = 0; d < 5; ++d) CHECK(std::abs(left[d] - right[d]) < 1e-8 * (1 + std::abs(right[d])));
    }
  }
}

TEST_CASE("a quintic spline through a sine has an error of order six") {
  const double rough = error_of_sine(12), fine = error_of_sine(24);
  CHECK(std::log2(rough / fine) == doctest::Approx(6).epsilon(0.05));
  CHECK(fine < 1e-6);
}
