#include "skyhook/formalism/mass_factor.h"

#include <algorithm>
#include <cassert>

namespace skyhook::formalism {

namespace {

// Of a tree the rows above a coordinate are those of the last of them, and that one itself.
bool is_of_tree(const Pattern& p) {
  for (int k = 0; k < p.cols; ++k) {
    const auto first = p.row.begin() + p.start[k],
               diagonal = std::lower_bound(first, p.row.begin() + p.start[k + 1], k);
    if (diagonal == first) continue;
    const int i = *(diagonal - 1);
    if (p.start[i + 1] - p.start[i] < diagonal - first || !std::equal(first, diagonal, p.row.begin() + p.start[i]))
      return false;
  }
  return true;
}

}  // namespace

MassFactor::MassFactor(const Pattern& mass) : mass_(mass) {
  std::vector<int> least(static_cast<std::size_t>(mass.cols) + 1, mass.cols);  // of all rows from column j on
  for (int j = mass.cols - 1; j >= 0; --j) least[j] = std::min(least[j + 1], mass.row[mass.start[j]]);
  for (int j = 0; j < mass.cols; ++j) {
    diagonal_.push_back(mass.find(j, j));
    if (least[j] == j) parts_.push_back({j, j});
    part_of_.push_back(static_cast<int>(parts_.size()) - 1);
    parts_.back().last = j + 1;
  }
  if (is_of_tree(mass)) return;
  for (int k = mass.cols - 1; k >= 0; --k) {
    for (int above = diagonal_[k] - 1; above >= mass.start[k]; --above) {
      for (int p = mass.start[k]; p <= above; ++p) {
        targets_.push_back(mass.find(mass.row[p], mass.row[above]));
        assert(targets_.back() >= 0);  // closed under elimination
      }
    }
  }
}

// Row k of L stands in the upper part of column k.
bool MassFactor::factor(std::span<double> values) const {
  const auto& start = mass_.start;
  const int* target = targets_.data();
  for (int k = mass_.cols - 1; k >= 0; --k) {
    const double pivot = values[diagonal_[k]];
    if (!(pivot > 0)) return false;
    for (int above = diagonal_[k] - 1; above >= start[k]; --above) {
      const int i = mass_.row[above];
      const double ratio = values[above] / pivot;
      for (int p = start[k], to = start[i]; p <= above; ++p, ++to)
        values[targets_.empty() ? to : *target++] -= ratio * values[p];
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
