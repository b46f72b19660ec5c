#include "skyhook/math/sparse_rank.h"

#include <doctest/doctest.h>

#include <random>

#include "skyhook/math/dense.h"

using namespace skyhook;

namespace {

// Random columns on a band, some of them sums of neighbours.
Csc banded(int rows, int cols, int every, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<> normal;
  DenseMatrix dense(rows, cols);
  for (int j = 0; j < cols; ++j) {
    const int first = j * (rows - 8) / cols;
    if (every > 0 && j > 2 && j % every == 0) {
      for (int i = 0; i < rows; ++i) dense(i, j) = dense(i, j - 1) - 2 * dense(i, j - 3);
      continue;
    }
    for (int i = first; i < first + 8; ++i) dense(i, j) = normal(engine);
  }
  PatternBuilder builder(rows, cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (dense(i, j) != 0) builder.add(i, j);
    }
  }
  Csc out(std::make_shared<Pattern>(builder.build()));
  for (int j = 0; j < cols; ++j) {
    for (int k = out.pattern->start[j]; k < out.pattern->start[j + 1]; ++k)
      out.value[k] = dense(out.pattern->row[k], j);
  }
  return out;
}

}  // namespace

// The reference is the pivoted QR of the whole, an independent algorithm; the entries are random, so that nothing is nearly dependent.
TEST_CASE("Independent columns of sparse matrices carry the rank that dense QR finds") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const int every : {0, 5, 7}) {
      CAPTURE(seed);
      CAPTURE(every);
      const bool is_wide = seed % 4 == 0;  // then the rank is right, but the choice of columns may be a bad one
      const Csc a = banded(80, is_wide ? 95 : 60, every, seed);
      const IndependentColumns found = independent_columns(a, 1e-10);
      const DenseMatrix dense(a);
      CHECK(found.rank == pivot_columns(dense, 1e-10).rank);
      std::vector<int> all(a.pattern->rows), chosen;
      for (int i = 0; i < a.pattern->rows; ++i) all[i] = i;
      for (int j = 0; j < a.pattern->cols; ++j) {
        if (found.independent[j]) chosen.push_back(j);
      }
      REQUIRE(static_cast<int>(chosen.size()) == found.rank);
      if (!is_wide) CHECK(pivot_columns(dense.select(all, chosen), 1e-10).rank == found.rank);
    }
  }
}

TEST_CASE("Columns of zeros and matrices without entries have no rank") {
  PatternBuilder builder(3, 4);
  builder.add(1, 2);
  Csc a(std::make_shared<Pattern>(builder.build()));
  CHECK(independent_columns(a, 1e-8).rank == 0);
  a.value[0] = 5;
  const IndependentColumns found = independent_columns(a, 1e-8);
  CHECK(found.rank == 1);
  CHECK(found.independent == std::vector<char>{0, 0, 1, 0});
  CHECK(found.condition == 1);
}
