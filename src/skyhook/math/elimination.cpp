#include "skyhook/math/elimination.h"

#include <iterator>
#include <set>

namespace skyhook {

// What stands above an eliminated column meets each other, which is told to the last of them.
Pattern closed_under_elimination(const Pattern& symmetric) {
  std::vector<std::set<int>> above(static_cast<std::size_t>(symmetric.cols));
  PatternBuilder builder(symmetric.rows, symmetric.cols);
  for (int j = symmetric.cols - 1; j >= 0; --j) {
    std::set<int>& rows = above[static_cast<std::size_t>(j)];
    for (int k = symmetric.start[j]; k < symmetric.start[j + 1] && symmetric.row[k] < j; ++k)
      rows.insert(symmetric.row[k]);
    builder.add(j, j);
    for (const int i : rows) builder.add(i, j), builder.add(j, i);
    if (!rows.empty()) above[static_cast<std::size_t>(*rows.rbegin())].insert(rows.begin(), std::prev(rows.end()));
  }
  return builder.build();
}

}  // namespace skyhook
