// References: a cubic is its own Hermite interpolant; the error on a smooth function is of fourth order
// (f'''' h^4 / 384), that of the rate of third.
#include "skyhook/io/result/interpolate.h"

#include <doctest/doctest.h>

#include <vector>

using namespace skyhook::io;

namespace {

double cubic(double t) { return 2 * t * t * t - 3 * t * t + t - 5; }
double cubic_rate(double t) { return 6 * t * t - 6 * t + 1; }

// Largest errors of value and rate of sin on [0, 1] in n pieces, in the middle-third points of each.
struct Errors {
  double value = 0, rate = 0;
};
Errors errors_on_sine(int n) {
  Errors errors;
  for (int i = 0; i < n; ++i) {
    const double a = static_cast<double>(i) / n, b = (i + 1.0) / n;
    const Node left{a, std::sin(a), std::cos(a)}, right{b, std::sin(b), std::cos(b)};
    for (const double s : {0.2, 0.5, 0.7}) {
      const double t = a + s * (b - a);
      errors.value = std::max(errors.value, std::abs(hermite(left, right, t) - std::sin(t)));
      errors.rate = std::max(errors.rate, std::abs(hermite_rate(left, right, t) - std::cos(t)));
    }
  }
  return errors;
}

}  // namespace

TEST_CASE("Hermite is exact on cubics, value and rate") {
  const Node a{1.5, cubic(1.5), cubic_rate(1.5)}, b{2.25, cubic(2.25), cubic_rate(2.25)};
  for (const double t : {1.5, 1.6, 1.9, 2.2, 2.25}) {
    CHECK(hermite(a, b, t) == doctest::Approx(cubic(t)).epsilon(1e-14));
    CHECK(hermite_rate(a, b, t) == doctest::Approx(cubic_rate(t)).epsilon(1e-13));
  }
}

TEST_CASE("Values converge with order four, rates with order three") {
  const Errors coarse = errors_on_sine(10), fine = errors_on_sine(20);
  CHECK(std::log2(coarse.value / fine.value) == doctest::Approx(4.0).epsilon(0.03));
  CHECK(std::log2(coarse.rate / fine.rate) == doctest::Approx(3.0).epsilon(0.05));
}

TEST_CASE("Without rates a line is drawn") {
  const double none = std::nan("");
  CHECK(hermite({0, 1, none}, {2, 5, 0}, 0.5) == 2.0);
  CHECK(hermite_rate({0, 1, none}, {2, 5, 0}, 0.5) == 2.0);
}

TEST_CASE("A bracket is one sample at its time, and never spans an event") {
  const std::vector<double> time{0, 1, 2, 2, 3};
  const auto check = [&](double t, Side side, std::size_t left, std::size_t right) {
    const Bracket b = find_bracket(time, t, side);
    CHECK(b.left == left);
    CHECK(b.right == right);
  };
  check(0.0, Side::before, 0, 0);
  check(0.5, Side::after, 0, 1);
  check(1.5, Side::after, 1, 2);
  check(2.0, Side::before, 2, 2);
  check(2.0, Side::after, 3, 3);
  check(2.5, Side::before, 3, 4);
  check(3.0, Side::after, 4, 4);
}
