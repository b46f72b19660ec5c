#include "skyhook/math/sparse_lu.h"

#include <doctest/doctest.h>

#include <random>

using namespace skyhook;

namespace {

std::shared_ptr<const Pattern> scattered(int n, std::mt19937& random) {
  PatternBuilder builder(n, n);
  std::uniform_int_distribution<int> any(0, n - 1);
  for (int j = 0; j < n; ++j) {
    builder.add(j, j);
    for (int k = 0; k < 3; ++k) builder.add(any(random), j);
  }
  return std::make_shared<const Pattern>(builder.build());
}

std::vector<double> values_of(const Pattern& p, double diagonal, std::mt19937& random) {
  std::vector<double> values(p.row.size());
  for (double& v : values) v = std::uniform_real_distribution<double>(-1, 1)(random);
  for (int j = 0; j < p.cols; ++j) values[p.find(j, j)] += diagonal;  // keeps the condition moderate
  return values;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

// Up to its size the list, above it KLU: two routes to one solution.
TEST_CASE("SparseLu: the list and KLU solve the same system, with other values too") {
  std::mt19937 random(1);
  constexpr int n = 40;
  const auto pattern = scattered(n, random);
  SparseLu list(pattern), klu(pattern, n - 1);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto a = values_of(*pattern, 8, random);
    const std::vector<double> scale(n, 3.0);
    REQUIRE(list.factor(a, scale));
    REQUIRE(klu.factor(a, scale));
    std::vector<double> x(n, 1.0), y = x;
    list.solve(x), klu.solve(y);
    CHECK(distance(x, y) < 1e-14);
  }
  const std::vector<double> zero(pattern->row.size(), 0.0);
  CHECK_FALSE(list.factor(zero));
  CHECK_FALSE(klu.factor(zero));
}
