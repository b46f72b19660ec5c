#include "skyhook/math/sine_and_cosine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <random>

using namespace skyhook;

namespace {

// In units of the last place of the exact value, which the library finds with eleven bits more.
double error_of(double found, long double exact) {
  const double size = std::max(std::abs(static_cast<double>(exact)), std::numeric_limits<double>::min());
  const double unit = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact)) / unit;
}

double largest_error_at(double x) {
  const auto [s, c] = sine_and_cosine(x);
  return std::max(error_of(s, std::sin(static_cast<long double>(x))),
                  error_of(c, std::cos(static_cast<long double>(x))));
}

}  // namespace

TEST_CASE("sine_and_cosine() is within one unit of the last place, beside multiples of a quarter turn too") {
  std::mt19937 random(1);
  double most = 0;
  for (const double size : {1e-9, 1.0, 10.0, 1e3, 1e5}) {
    std::uniform_real_distribution<double> angle(-size, size);
    for (int i = 0; i < 20000; ++i) most = std::max(most, largest_error_at(angle(random)));
  }
  for (int n = -60000; n <= 60000; n += 7) {  // there one of the two nearly vanishes, and every bit of pi counts
    const double x = n * (std::numbers::pi / 2);
    for (const double at : {x, std::nextafter(x, 1e9), std::nextafter(x, -1e9), x + 1e-9})
      most = std::max(most, largest_error_at(at));
  }
  MESSAGE("largest error " << most << " units of the last place");
  CHECK(most < 1.0);
}

TEST_CASE("sine_and_cosine() leaves large angles and what is no number to the library") {
  CHECK(sine_and_cosine(0.0).s == 0.0);
  CHECK(sine_and_cosine(0.0).c == 1.0);
  CHECK(sine_and_cosine(1e9).s == std::sin(1e9));
  CHECK(sine_and_cosine(-1e22).c == std::cos(-1e22));
  CHECK(std::isnan(sine_and_cosine(std::numeric_limits<double>::quiet_NaN()).s));
  CHECK(std::isnan(sine_and_cosine(std::numeric_limits<double>::infinity()).c));
}
