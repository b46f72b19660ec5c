#include "skyhook/corrector/column_groups.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace skyhook {

namespace {

std::span<const int> rows_of(const Pattern& p, int column) {
  return {p.row.data() + p.start[column], p.row.data() + p.start[column + 1]};
}

std::vector<int> longest_first(const Pattern& p) {
  std::vector<int> order(p.cols);
  std::iota(order.begin(), order.end(), 0);
  const auto longer = [&](int a, int b) { return rows_of(p, a).size() > rows_of(p, b).size(); };
  std::stable_sort(order.begin(), order.end(), longer);
  return order;
}

}  // namespace

ColumnGroups single_columns(int columns) {
  ColumnGroups groups(columns);
  for (int j = 0; j < columns; ++j) groups[j] = {j};
  return groups;
}

ColumnGroups group_columns(const Pattern& pattern) {
  ColumnGroups groups;
  std::vector<std::vector<char>> taken;  // rows that a group touches already
  for (int j : longest_first(pattern)) {
    const auto rows = rows_of(pattern, j);
    const auto is_free = [&](const std::vector<char>& t) {
      return std::none_of(rows.begin(), rows.end(), [&](int i) { return t[i]; });
    };
    const std::size_t k = std::find_if(taken.begin(), taken.end(), is_free) - taken.begin();
    if (k == groups.size()) {
      groups.emplace_back();
      taken.emplace_back(pattern.rows, 0);
    }
    groups[k].push_back(j);
    for (int i : rows) taken[k][i] = 1;
  }
  return groups;
}

}  // namespace skyhook
