#include "skyhook/math/dual.h"

#include <doctest/doctest.h>

#include <random>
#include <type_traits>

#include "skyhook/math/jet2.h"
#include "skyhook/math/lanes.h"

using namespace skyhook;

namespace {

// Central differences of step h err by h^2 f'''/6 (1e-10) and by rounding eps/h (2e-11); f''' goes up to some 100.
constexpr double h = 1e-5, tolerance = 1e-8;

template <class F>
void check_against_differences(const char* name, F f, double low, double high) {
  CAPTURE(name);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> in_range(low, high);
  for (int n = 0; n < 40; ++n) {
    const double x = in_range(random), y = in_range(random);
    const Dual<2> r = f(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
    CAPTURE(x);
    CAPTURE(y);
    CHECK(r.v == doctest::Approx(f(x, y)).epsilon(1e-15));
    CHECK(r.d[0] == doctest::Approx((f(x + h, y) - f(x - h, y)) / (2 * h)).epsilon(tolerance).scale(1.0));
    CHECK(r.d[1] == doctest::Approx((f(x, y + h) - f(x, y - h)) / (2 * h)).epsilon(tolerance).scale(1.0));
  }
}

#define LAW(expression)                                                                                             \
  [](const auto& x, const auto& y) {                                                                                \
    using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log, std::sin, std::sqrt, \
        std::tan, std::tanh;                                                                                        \
    (void)x, (void)y;                                                                                               \
    return std::decay_t<decltype(x)>(expression);                                                                   \
  }

TEST_CASE("derivatives of operators and functions equal central differences") {
  check_against_differences("sum", LAW(2.0 * x + y - x * 3.0 - 1.0), -2, 2);
  check_against_differences("product", LAW(x * y * x), -2, 2);
  check_against_differences("quotient", LAW(x / y), 0.5, 2);
  check_against_differences("1/x", LAW(1.0 / x), 0.5, 2);
  check_against_differences("negation", LAW(-(x * y)), -2, 2);
  check_against_differences("sqrt", LAW(sqrt(x * y)), 0.5, 2);
  check_against_differences("sin", LAW(sin(x * y)), -2, 2);
  check_against_differences("cos", LAW(cos(x * y)), -2, 2);
  check_against_differences("tan", LAW(tan(x * y)), -1, 1);
  check_against_differences("asin", LAW(asin(x * y)), -0.9, 0.9);
  check_against_differences("acos", LAW(acos(x * y)), -0.9, 0.9);
  check_against_differences("atan", LAW(atan(x * y)), -2, 2);
  check_against_differences("atan2", LAW(atan2(x, y)), 0.2, 2);
  check_against_differences("exp", LAW(exp(x * y)), -1, 1);
  check_against_differences("log", LAW(log(x * y)), 0.5, 2);
  check_against_differences("tanh", LAW(tanh(x * y)), -2, 2);
  check_against_differences("abs", LAW(abs(x + 3.0) * abs(y - 3.0)), -2, 2);
}
#undef LAW

TEST_CASE("compound assignment follows the chain rule") {
  auto x = Dual<1>::variable(3.0, 0);
  const auto y = x;
  x += y * y;  // x + x^2
  x *= y;      // x^2 + x^3
  x -= y;
  x /= y;  // x + x^2 - 1
  CHECK(x.v == doctest::Approx(11.0).epsilon(1e-15));
  CHECK(x.d[0] == doctest::Approx(7.0).epsilon(1e-15));
}

TEST_CASE("comparisons look at the value only") {
  const auto x = Dual<1>::variable(1.0, 0);
  CHECK(x == Dual<1>(1.0));
  CHECK(x < 2.0);
  CHECK(x >= 1.0);
  CHECK(!(x != 1.0));
  CHECK(value_of(jet2(3.0, 1.0, 2.0)) == 3.0);
}

// Exact: f = sin(w t) exp(-t) has f' and f'' in closed form. Each is a sum of a few rounded terms: 1e-14.
TEST_CASE("Jet2 gives velocity and acceleration") {
  constexpr double w = 3.0;
  for (double t = -1.0; t < 2.0; t += 0.13) {
    const Jet2 s = at_time(t);
    const Jet2 f = sin(w * s) * exp(-s);
    const double e = std::exp(-t), sine = std::sin(w * t), cosine = std::cos(w * t);
    CHECK(value(f) == doctest::Approx(sine * e).epsilon(1e-14));
    CHECK(rate(f) == doctest::Approx((w * cosine - sine) * e).epsilon(1e-14).scale(1.0));
    CHECK(acceleration(f) == doctest::Approx(((1.0 - w * w) * sine - 2.0 * w * cosine) * e).epsilon(1e-14).scale(1.0));
    CHECK(f.d[0].v == doctest::Approx(rate(f)).epsilon(1e-14).scale(1.0));  // both first derivatives are in time
  }
}

TEST_CASE("Jet2 carries a motion given by value, rate and acceleration") {
  const Jet2 q = jet2(2.0, 3.0, 5.0);
  CHECK(rate(q * q) == 2 * 2.0 * 3.0);
  CHECK(acceleration(q * q) == 2 * (3.0 * 3.0 + 2.0 * 5.0));
}

}  // namespace
