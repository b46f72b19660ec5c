#include "skyhook/corrector/column_groups.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace skyhook;

namespace {

// Every column once, and no row twice in a group.
void check_valid(const Pattern& p, const ColumnGroups& groups) {
  std::set<int> seen;
  for (const auto& group : groups) {
    std::set<int> rows;
    for (int j : group) {
      CHECK(seen.insert(j).second);
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) CHECK(rows.insert(p.row[k]).second);
    }
  }
  CHECK(static_cast<int>(seen.size()) == p.cols);
}

Pattern banded(int n, int half_width) {
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = std::max(0, j - half_width); i <= std::min(n - 1, j + half_width); ++i) builder.add(i, j);
  return builder.build();
}

}  // namespace

TEST_CASE("groups of a band are as few as its width allows") {
  const Pattern p = banded(30, 1);
  const ColumnGroups groups = group_columns(p);
  check_valid(p, groups);
  CHECK(groups.size() <= 4);  // 3 is optimal; short end columns come last and may cost one more
}

TEST_CASE("a full row puts every column in its own group, a diagonal all in one") {
  PatternBuilder arrow(5, 5);
  for (int j = 0; j < 5; ++j) arrow.add(0, j);
  CHECK(group_columns(arrow.build()).size() == 5);
  CHECK(group_columns(banded(5, 0)).size() == 1);
}

TEST_CASE("groups are valid on random patterns with empty columns") {
  std::mt19937 random(1);
  for (int n : {0, 1, 7, 40}) {
    PatternBuilder builder(n, n);
    std::uniform_int_distribution<int> any(0, std::max(0, n - 1));
    for (int k = 0; k < 3 * n; ++k) builder.add(any(random), any(random));
    const Pattern p = builder.build();
    const ColumnGroups groups = group_columns(p);
    check_valid(p, groups);
    CHECK(groups.size() <= static_cast<std::size_t>(n));
  }
}

TEST_CASE("single columns are one group each") { CHECK(single_columns(3) == ColumnGroups{{0}, {1}, {2}}); }
