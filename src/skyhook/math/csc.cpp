#include "skyhook/math/csc.h"

#include <algorithm>
#include <cassert>

namespace skyhook {

int Pattern::find(int i, int j) const {
  const auto first = row.begin() + start[j], last = row.begin() + start[j + 1];
  const auto at = std::lower_bound(first, last, i);
  return at != last && *at == i ? static_cast<int>(at - row.begin()) : -1;
}

Pattern PatternBuilder::build() const {
  Pattern p{.rows = rows_, .cols = static_cast<int>(columns_.size()), .start = {0}, .row = {}};
  p.start.reserve(columns_.size() + 1);
  for (const std::vector<int>& column : columns_) {
    p.row.insert(p.row.end(), column.begin(), column.end());
    const auto first = p.row.begin() + p.start.back();
    std::sort(first, p.row.end());
    p.row.erase(std::unique(first, p.row.end()), p.row.end());
    assert(first == p.row.end() || (*first >= 0 && p.row.back() < rows_));
    p.start.push_back(static_cast<int>(p.row.size()));
  }
  return p;
}

void multiply_add(const Csc& a, std::span<const double> x, double s, std::span<double> y) {
  const Pattern& p = *a.pattern;
  for (int j = 0; j < p.cols; ++j) {
    const double sx = s * x[j];
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) y[p.row[k]] += a.value[k] * sx;
  }
}

}  // namespace skyhook
