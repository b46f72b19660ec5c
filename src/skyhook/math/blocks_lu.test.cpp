#include "skyhook/math/blocks_lu.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "skyhook/math/klu.h"

using namespace skyhook;

namespace {

// Full parts of these sizes, their unknowns mixed; the last unknown of each part has no entry on the diagonal, as a multiplier has none.
std::shared_ptr<const Pattern> mixed(const std::vector<int>& sizes, std::mt19937& random) {
  const int n = std::accumulate(sizes.begin(), sizes.end(), 0);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  PatternBuilder builder(n, n);
  int first = 0;
  for (const int size : sizes) {
    for (int i = first; i < first + size; ++i) {
      for (int j = first; j < first + size; ++j) {
        if (size == 1 || i != j || i + 1 < first + size) builder.add(order[i], order[j]);
      }
    }
    first += size;
  }
  return std::make_shared<const Pattern>(builder.build());
}

std::vector<double> any_values(const Pattern& p, std::mt19937& random) {
  std::vector<double> values(p.row.size());
  for (double& v : values) v = std::normal_distribution<double>()(random);
  return values;
}

}  // namespace

// KLU is the reference; both are backward stable, so that what they leave of b is a small multiple of epsilon times the sizes.
TEST_CASE("BlocksLu: parts whose unknowns are mixed, with a scale of columns, as KLU solves them") {
  std::mt19937 random(3);
  const std::vector<int> sizes{6, 7, 1, 16, 2, 7, 9, 1};
  const auto pattern = mixed(sizes, random);
  REQUIRE(BlocksLu::suits(*pattern));
  BlocksLu blocks(pattern);
  Klu klu(pattern);
  const auto n = static_cast<std::size_t>(pattern->cols);
  for (int repeat = 0; repeat < 20; ++repeat) {
    CAPTURE(repeat);
    const std::vector<double> a = any_values(*pattern, random);
    std::vector<double> scale(n);
    for (double& s : scale) s = std::exp(std::normal_distribution<double>()(random));
    REQUIRE(blocks.factor(a, repeat % 2 == 0 ? std::span<const double>(scale) : std::span<const double>()));
    REQUIRE(klu.factor(a));
    std::vector<double> b(n), x, y;
    for (double& v : b) v = std::normal_distribution<double>()(random);
    x = y = b;
    blocks.solve(x), klu.solve_refined(y);
    const Csc matrix = [&] {
      Csc m(pattern);
      m.value = a;
      return m;
    }();
    multiply_add(matrix, x, -1.0, b);
    double size = 0, left = 0, apart = 0;
    for (std::size_t i = 0; i < n; ++i)
      size = std::max(size, std::abs(y[i])), left = std::max(left, std::abs(b[i])),
      apart = std::max(apart, std::abs(x[i] - y[i]));
    CHECK(left <= 1e-13 * (1 + size));
    CHECK(apart <= 1e-13 * size / std::min(blocks.rcond(), klu.rcond()));
    BlocksLu copy = blocks;
    std::vector<double> z(n, 1.0), same(n, 1.0);
    blocks.solve(z), copy.solve(same);
    CHECK(z == same);
  }
}

TEST_CASE("BlocksLu: a part without a solution is named, and so is a value that is not finite") {
  std::mt19937 random(4);
  const auto pattern = mixed({3, 7, 4, 5, 6}, random);
  BlocksLu blocks(pattern);
  std::vector<double> a = any_values(*pattern, random);
  REQUIRE(blocks.factor(a));
  CHECK(blocks.rcond() > 0);
  const int column = 11;
  std::vector<double> empty = a, wild = a;
  for (int k = pattern->start[column]; k < pattern->start[column + 1]; ++k) empty[k] = 0;
  CHECK_FALSE(blocks.factor(empty));
  CHECK(blocks.singular_column() == column);
  CHECK(blocks.rcond() == 0);
  wild[pattern->start[column]] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(blocks.factor(wild));
  CHECK(blocks.singular_column() == column);
  CHECK(blocks.factor(a));
}

TEST_CASE("BlocksLu suits many small parts, not few and not large ones") {
  std::mt19937 random(5);
  CHECK(BlocksLu::suits(*mixed({7, 7, 7, 7}, random)));
  CHECK_FALSE(BlocksLu::suits(*mixed({7, 7, 7}, random)));
  CHECK_FALSE(BlocksLu::suits(*mixed({7, 7, 7, 7, 17}, random)));
  CHECK_FALSE(BlocksLu::suits(*mixed({16}, random)));
}
