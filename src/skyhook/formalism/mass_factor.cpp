#include "skyhook/formalism/mass_factor.h"

namespace skyhook::formalism {

MassFactor::MassFactor(const Pattern& mass) : mass_(mass) {
  for (int j = 0; j < mass.cols; ++j) {
    diagonal_.push_back(mass.find(j, j));
    const int top = mass.row[mass.start[j]];  // what carries all of the part
    if (top == j) parts_.push_back({j, j});
    part_of_.push_back(static_cast<int>(parts_.size()) - 1);
    parts_.back().last = j + 1;
  }
}

// Row k of L stands in the upper part of column k.
bool MassFactor::factor(std::span<double> values) const {
  const auto& start = mass_.start;
  for (int k = mass_.cols - 1; k >= 0; --k) {
    const double pivot = values[diagonal_[k]];
    if (!(pivot > 0)) return false;
    for (int above = diagonal_[k] - 1; above >= start[k]; --above) {
      const int i = mass_.row[above];
      const double ratio = values[above] / pivot;
      for (int p = start[k], to = start[i]; p <= above; ++p, ++to) values[to] -= ratio * values[p];
      values[above] = ratio;
    }
  }
  return true;
}

void MassFactor::solve(std::span<const double> factor, const Part& part, double* x) const {
  const auto& start = mass_.start;
  double* const of = x - part.first;
  for (int k = part.last - 1; k >= part.first; --k) {
    for (int p = start[k]; p < diagonal_[k]; ++p) of[mass_.row[p]] -= factor[p] * of[k];
  }
  for (int k = part.first; k < part.last; ++k) {
    of[k] /= factor[diagonal_[k]];
    for (int p = start[k]; p < diagonal_[k]; ++p) of[k] -= factor[p] * of[mass_.row[p]];
  }
}

}  // namespace skyhook::formalism
