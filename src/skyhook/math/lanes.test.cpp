#include "skyhook/math/lanes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"

using namespace skyhook;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Lanes random_lanes(std::mt19937& random, double low, double high) {
  std::uniform_real_distribution<double> d(low, high);
  return {d(random), d(random), d(random), d(random)};
}

void check_lanes(const Lanes& r, double r0, double r1, double r2, double r3) {
  CHECK(r[0] == r0);
  CHECK(r[1] == r1);
  CHECK(r[2] == r2);
  CHECK(r[3] == r3);
}

// Reference: the same function on each double. Equal to the bit, since each lane does the same operation.
template <class OnLanes, class OnDouble>
void check_unary(const char* name, double low, double high, OnLanes f, OnDouble g) {
  CAPTURE(name);
  std::mt19937 random(1);
  for (int n = 0; n < 50; ++n) {
    const Lanes a = random_lanes(random, low, high);
    const Lanes r = f(a);
    for (int i = 0; i < Lanes::count; ++i) CHECK(r[i] == g(a[i]));
  }
}
template <class OnLanes, class OnDouble>
void check_binary(const char* name, double low, double high, OnLanes f, OnDouble g) {
  CAPTURE(name);
  std::mt19937 random(2);
  for (int n = 0; n < 50; ++n) {
    const Lanes a = random_lanes(random, low, high), b = random_lanes(random, low, high);
    const Lanes r = f(a, b);
    for (int i = 0; i < Lanes::count; ++i) CHECK(r[i] == g(a[i], b[i]));
  }
}

#define CHECK_LANES_OF(f, low, high) \
  check_unary(                       \
      #f, low, high, [](const Lanes& a) { return f(a); }, [](double a) { return std::f(a); })

TEST_CASE("functions equal those of four doubles") {
  CHECK_LANES_OF(sqrt, 0.0, 10.0);
  CHECK_LANES_OF(abs, -3.0, 3.0);
  CHECK_LANES_OF(sin, -9.0, 9.0);
  CHECK_LANES_OF(cos, -9.0, 9.0);
  CHECK_LANES_OF(tan, -9.0, 9.0);
  CHECK_LANES_OF(asin, -1.0, 1.0);
  CHECK_LANES_OF(acos, -1.0, 1.0);
  CHECK_LANES_OF(atan, -9.0, 9.0);
  CHECK_LANES_OF(sinh, -3.0, 3.0);
  CHECK_LANES_OF(cosh, -3.0, 3.0);
  CHECK_LANES_OF(tanh, -3.0, 3.0);
  CHECK_LANES_OF(exp, -3.0, 3.0);
  CHECK_LANES_OF(log, 0.1, 9.0);
  CHECK_LANES_OF(log10, 0.1, 9.0);
  CHECK_LANES_OF(floor, -9.0, 9.0);
  CHECK_LANES_OF(ceil, -9.0, 9.0);
  CHECK_LANES_OF(round, -9.0, 9.0);
  check_binary(
      "atan2", -3, 3, [](auto& a, auto& b) { return atan2(a, b); },
      [](double a, double b) { return std::atan2(a, b); });
  check_binary(
      "pow", 0.1, 3, [](auto& a, auto& b) { return pow(a, b); }, [](double a, double b) { return std::pow(a, b); });
  check_binary(
      "min", -3, 3, [](auto& a, auto& b) { return min(a, b); }, [](double a, double b) { return std::min(a, b); });
  check_binary(
      "max", -3, 3, [](auto& a, auto& b) { return max(a, b); }, [](double a, double b) { return std::max(a, b); });
}
#undef CHECK_LANES_OF

TEST_CASE("operators equal those of four doubles, also mixed with a double") {
  check_binary(
      "+", -3, 3, [](auto& a, auto& b) { return a + b; }, [](double a, double b) { return a + b; });
  check_binary(
      "-", -3, 3, [](auto& a, auto& b) { return a - b; }, [](double a, double b) { return a - b; });
  check_binary(
      "*", -3, 3, [](auto& a, auto& b) { return a * b; }, [](double a, double b) { return a * b; });
  check_binary(
      "/", -3, 3, [](auto& a, auto& b) { return a / b; }, [](double a, double b) { return a / b; });
  check_unary(
      "-a", -3, 3, [](auto& a) { return -a; }, [](double a) { return -a; });
  check_unary(
      "2/a", -3, 3, [](auto& a) { return 2.0 / a; }, [](double a) { return 2.0 / a; });
  check_unary(
      "a-2", -3, 3, [](auto& a) { return a - 2.0; }, [](double a) { return a - 2.0; });
  Lanes a{1, 2, 3, 4};
  a += 1.0, a *= 2.0, a -= Lanes{1, 1, 1, 1}, a /= 3.0;
  for (int i = 0; i < 4; ++i) CHECK(a[i] == ((i + 2) * 2.0 - 1.0) / 3.0);
  a.set(2, 7.0);
  CHECK(a[2] == 7.0);
  CHECK(a[3] == 3.0);
}

TEST_CASE("comparisons give a mask, which NaN never satisfies save !=") {
  const Lanes a{1, 2, 3, nan}, b{2, 2, 2, 2};
  const auto check = [](const LaneMask& m, bool m0, bool m1, bool m2, bool m3) {
    check_lanes(select(m, Lanes(1.0), Lanes(0.0)), m0, m1, m2, m3);
  };
  check(a < b, true, false, false, false);
  check(a <= b, true, true, false, false);
  check(a > b, false, false, true, false);
  check(a >= b, false, true, true, false);
  check(a == b, false, true, false, false);
  check(a != b, true, false, true, true);
  check((a < b) | (a > b), true, false, true, false);
  check((a <= b) & (a >= b), false, true, false, false);
  check(!(a < b), false, true, true, true);
  CHECK((a < b)[0]);
  CHECK(!(a < b)[1]);
  CHECK(any(a < b));
  CHECK(!all(a < b));
  CHECK(all(b == b));
  CHECK(!any(b != b));
}

TEST_CASE("select ignores what is not chosen") {
  const Lanes x{-1, 4, -9, 16};
  const Lanes r = select(x > 0.0, sqrt(x), Lanes(-1.0));  // sqrt is NaN in two lanes
  check_lanes(r, -1.0, 2.0, -1.0, 4.0);
}

// A law as an element would write it: one-sided spring, in three scalars.
template <class T>
T contact_force(const T& gap) {
  return select(gap < T(0.0), -1e3 * gap, T(0.0));
}

TEST_CASE("one templated law serves double, Dual and Lanes") {
  CHECK(contact_force(-0.5) == 500.0);
  CHECK(contact_force(0.5) == 0.0);
  CHECK(contact_force(Dual<1>::variable(-0.5, 0)).d[0] == -1e3);
  CHECK(contact_force(Dual<1>::variable(0.5, 0)).d[0] == 0.0);
  check_lanes(contact_force(Lanes{-0.5, 0.5, 0.0, -1.0}), 500.0, 0.0, 0.0, 1000.0);
}

TEST_CASE("vectors of lanes") {
  const Vec3<Lanes> a{Lanes{3, 1, 2, 0}, 4.0, 0.0};
  const Lanes n = norm(a);
  CHECK(n[0] == 5.0);
  for (int i = 0; i < 4; ++i) CHECK(n[i] == doctest::Approx(std::sqrt(a.x[i] * a.x[i] + 16.0)).epsilon(1e-15));
}

}  // namespace
