#include "skyhook/math/complex_klu.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace skyhook;

namespace {

using Complex = std::complex<double>;

std::shared_ptr<const Pattern> tridiagonal(int n) {
  PatternBuilder builder(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j < std::min(n, i + 2); ++j) builder.add(i, j);
  }
  return std::make_shared<const Pattern>(builder.build());
}

// Two routes: what solve() finds is put back into the matrix. Entries of size 1 and a dominant diagonal: rounding only.
TEST_CASE("a complex sparse system is solved to rounding, with kept and with new pivots") {
  const int n = 40;
  const auto pattern = tridiagonal(n);
  ComplexKlu klu(pattern);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int repeat = 0; repeat < 5; ++repeat) {
    Csc a(pattern), b(pattern);
    for (double& v : a.value) v = any(random);
    for (int j = 0; j < n; ++j) {
      for (int k = pattern->start[j]; k < pattern->start[j + 1]; ++k)
        b.value[k] = pattern->row[k] == j ? 6.0 : any(random);
    }
    const Complex alpha(2.7, 3.1);
    std::vector<Complex> right(n), x(n);
    for (Complex& r : right) r = {any(random), any(random)};
    x = right;
    REQUIRE(klu.factor(alpha, a.value, b.value));
    klu.solve(x);
    for (int i = 0; i < n; ++i) {
      Complex sum = 0;
      for (int j = 0; j < n; ++j) sum += (alpha * a.at(i, j) + b.at(i, j)) * x[j];
      CHECK(std::abs(sum - right[i]) < 1e-13);
    }
  }
}

TEST_CASE("singular and non-finite complex matrices are refused") {
  const auto pattern = tridiagonal(3);
  ComplexKlu klu(pattern);
  Csc a(pattern), b(pattern);
  CHECK_FALSE(klu.factor({1, 1}, a.value, b.value));
  b.value.assign(b.value.size(), std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(klu.factor({1, 1}, a.value, b.value));
  for (int j = 0; j < 3; ++j) b.value[pattern->find(j, j)] = 1.0;
  for (int k = 0; k < pattern->nonzeros(); ++k) b.value[k] = std::isnan(b.value[k]) ? 0.0 : b.value[k];
  CHECK(klu.factor({1, 1}, a.value, b.value));  // recovers
  CHECK(ComplexKlu(std::make_shared<const Pattern>(Pattern{0, 0, {0}, {}})).factor({1, 0}, {}, {}));
}

}  // namespace
