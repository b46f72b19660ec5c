// References: elimination by hand; the same on a full matrix of ones and zeros.
#include "skyhook/math/elimination.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace skyhook;

TEST_CASE("elimination: an arrow that points up fills nothing in, one that points down everything") {
  PatternBuilder up(4, 4), down(4, 4);
  for (int k = 0; k < 4; ++k) {
    up.add(k, k), up.add(0, k), up.add(k, 0);
    down.add(k, k), down.add(3, k), down.add(k, 3);
  }
  CHECK(closed_under_elimination(up.build()).nonzeros() == 10);
  CHECK(closed_under_elimination(down.build()).nonzeros() == 16);
}

TEST_CASE("elimination: patterns are those of elimination entry by entry") {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const int n = 1 + round % 12;
    std::vector<std::vector<char>> full(static_cast<std::size_t>(n), std::vector<char>(static_cast<std::size_t>(n), 0));
    PatternBuilder builder(n, n);
    for (int i = 0; i < n; ++i) {
      full[i][i] = 1;
      for (int j = 0; j < i; ++j) {
        if (random() % 4 == 0) full[i][j] = full[j][i] = 1, builder.add(i, j), builder.add(j, i);
      }
    }
    const Pattern found = closed_under_elimination(builder.build());
    for (int k = n - 1; k >= 0; --k) {
      for (int i = 0; i < k; ++i) {
        for (int j = 0; j < k; ++j) full[i][j] |= static_cast<char>(full[i][k] & full[k][j]);
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) CHECK((found.find(i, j) >= 0) == (full[i][j] != 0));
    }
  }
}
