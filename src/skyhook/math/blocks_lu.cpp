#include "skyhook/math/blocks_lu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace skyhook {
namespace {

// By unknown: the least one of its part.
std::vector<int> parts_of(const Pattern& pattern) {
  std::vector<int> up(static_cast<std::size_t>(pattern.cols));
  std::iota(up.begin(), up.end(), 0);
  const auto top = [&](int i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
  };
  for (int j = 0; j < pattern.cols; ++j) {
    int mine = top(j);
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      if (up[pattern.row[k]] == mine) continue;
      const int other = top(pattern.row[k]);
      if (other == mine) continue;
      up[std::max(mine, other)] = std::min(mine, other);
      mine = std::min(mine, other);
    }
  }
  for (int j = 0; j < pattern.cols; ++j) up[j] = top(j);
  return up;
}

std::vector<int> sizes_of(const std::vector<int>& part) {
  std::vector<int> sizes(part.size(), 0);
  for (const int first : part) ++sizes[first];
  return sizes;
}

}  // namespace

bool BlocksLu::suits(const Pattern& pattern) {
  if (pattern.cols <= largest_part) return false;
  const std::vector<int> sizes = sizes_of(parts_of(pattern));
  return *std::ranges::max_element(sizes) <= largest_part &&
         std::ranges::count_if(sizes, [](int n) { return n > 0; }) >= fewest_parts;
}

BlocksLu::BlocksLu(std::shared_ptr<const Pattern> pattern)
    : pattern_(std::move(pattern)),
      unknowns_(static_cast<std::size_t>(pattern_->cols)),
      place_(pattern_->row.size()),
      row_scale_(unknowns_.size()),
      inverse_(unknowns_.size()),
      pivot_row_(unknowns_.size()) {
  column_scale_.reserve(unknowns_.size());
  const std::vector<int> part = parts_of(*pattern_), sizes = sizes_of(part);
  std::vector<int> number(part.size()), next(part.size());
  int first = 0, values = 0;
  for (std::size_t j = 0; j < part.size(); ++j) {
    if (sizes[j] == 0) continue;
    number[j] = static_cast<int>(parts_.size()), next[j] = first;
    parts_.push_back({first, sizes[j], values});
    first += sizes[j], values += sizes[j] * sizes[j];
  }
  std::vector<int> within(part.size());
  for (std::size_t j = 0; j < part.size(); ++j) {
    const Part& mine = parts_[number[part[j]]];
    within[j] = next[part[j]]++ - mine.first;
    unknowns_[mine.first + within[j]] = static_cast<int>(j);
  }
  for (int j = 0; j < pattern_->cols; ++j) {
    const Part& mine = parts_[number[part[j]]];
    for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k)
      place_[k] = mine.values + mine.size * within[j] + within[pattern_->row[k]];
  }
  values_.resize(static_cast<std::size_t>(values));
}

bool BlocksLu::fill(std::span<const double> values, std::span<const double> column_scale) {
  std::ranges::fill(values_, 0.0);
  column_scale_.assign(column_scale.begin(), column_scale.end());
  for (int j = 0; j < pattern_->cols; ++j) {
    const double scale = column_scale.empty() ? 1.0 : column_scale[j];
    for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k) {
      const double value = scale * values[k];
      if (!(std::abs(value) <= std::numeric_limits<double>::max())) return singular_column_ = j, false;
      values_[place_[k]] = value;
    }
  }
  return true;
}

void BlocksLu::scale_rows(const Part& part) {
  const int n = part.size;
  double* const a = values_.data() + part.values;
  std::array<double, largest_part> largest{};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) largest[i] = std::max(largest[i], std::abs(a[j * n + i]));
  }
  for (int i = 0; i < n; ++i) row_scale_[part.first + i] = largest[i] = largest[i] > 0 ? 1 / largest[i] : 1.0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) a[j * n + i] *= largest[i];
  }
}

bool BlocksLu::eliminate(const Part& part) {
  const int n = part.size;
  double* const a = values_.data() + part.values;
  for (int p = 0; p < n; ++p) {
    double* const column = a + p * n;
    int best = p;
    for (int i = p + 1; i < n; ++i) {
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    }
    const double size = std::abs(column[best]);
    if (!(size > 0)) return singular_column_ = unknowns_[part.first + p], false;
    smallest_ = std::min(smallest_, size), largest_ = std::max(largest_, size);
    pivot_row_[part.first + p] = best;
    if (best != p) {
      for (int j = 0; j < n; ++j) std::swap(a[j * n + p], a[j * n + best]);
    }
    const double inverse = inverse_[part.first + p] = 1 / column[p];
    for (int i = p + 1; i < n; ++i) column[i] *= inverse;
    for (int j = p + 1; j < n; ++j) {
      const double factor = a[j * n + p];
      if (factor == 0) continue;
      for (int i = p + 1; i < n; ++i) a[j * n + i] -= factor * column[i];
    }
  }
  return true;
}

bool BlocksLu::factor(std::span<const double> values, std::span<const double> column_scale) {
  singular_column_ = -1;
  smallest_ = std::numeric_limits<double>::max(), largest_ = 0;
  ++pivotings_;
  if (!fill(values, column_scale)) return false;
  for (const Part& part : parts_) {
    scale_rows(part);
    if (!eliminate(part)) return false;
  }
  return true;
}

void BlocksLu::solve(std::span<double> b) {
  std::array<double, largest_part> x;
  for (const Part& part : parts_) {
    const int n = part.size;
    const double* const a = values_.data() + part.values;
    const int* const unknown = unknowns_.data() + part.first;
    for (int i = 0; i < n; ++i) x[i] = row_scale_[part.first + i] * b[unknown[i]];
    for (int p = 0; p < n; ++p) std::swap(x[p], x[pivot_row_[part.first + p]]);
    for (int p = 0; p < n; ++p) {
      if (x[p] == 0) continue;
      for (int i = p + 1; i < n; ++i) x[i] -= a[p * n + i] * x[p];
    }
    for (int p = n - 1; p >= 0; --p) {
      if (x[p] == 0) continue;
      x[p] *= inverse_[part.first + p];
      for (int i = 0; i < p; ++i) x[i] -= a[p * n + i] * x[p];
    }
    for (int i = 0; i < n; ++i) b[unknown[i]] = column_scale_.empty() ? x[i] : x[i] * column_scale_[unknown[i]];
  }
}

}  // namespace skyhook
