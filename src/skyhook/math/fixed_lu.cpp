#include "skyhook/math/fixed_lu.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "skyhook/math/klu.h"
#include "skyhook/math/lanes.h"

namespace skyhook {
namespace {

using std::size_t;

// When kept pivots are given up: as in klu.cpp.
constexpr double poor_growth = 1e-4, worse_than_fresh = 1e-2, fallen_pivots = 0.1;
constexpr double lost_pivots =
    1e-12;  // given up in any case: the search for others tells whether the matrix is singular

double sum_of(const Lanes& x) { return (x[0] + x[2]) + (x[1] + x[3]); }
double largest_of(const Lanes& x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

// From each target a segment of the pivot's row times the multiplier of its row. The segment stays in registers.
template <int registers>
void subtract(double* values, int source, const int* target, const double* multipliers, int begin, int end) {
  Lanes u[registers];
  for (int w = 0; w < registers; ++w) u[w] = Lanes::load(values + source + 4 * w);
#pragma GCC unroll 4
  for (int r = begin; r < end; ++r) {
    const Lanes m = multipliers[r];
    double* const at = values + *target++;
    for (int w = 0; w < registers; ++w) (Lanes::load(at + 4 * w) - m * u[w]).store(at + 4 * w);
  }
}

void subtract(int registers, double* values, int source, const int* target, const double* multipliers, int begin,
              int end) {
  static_assert(EliminationList::longest == 6 && EliminationList::lanes == Lanes::count);
  switch (registers) {
    case 1: return subtract<1>(values, source, target, multipliers, begin, end);
    case 2: return subtract<2>(values, source, target, multipliers, begin, end);
    case 3: return subtract<3>(values, source, target, multipliers, begin, end);
    case 4: return subtract<4>(values, source, target, multipliers, begin, end);
    case 5: return subtract<5>(values, source, target, multipliers, begin, end);
    default: return subtract<6>(values, source, target, multipliers, begin, end);
  }
}

// 0 times anything but a finite number is no number.
bool all_finite(const double* x, size_t n) {
  Lanes sum;
  double rest = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) sum += Lanes(0.0) * Lanes::load(x + i);
  for (; i < n; ++i) rest += 0.0 * x[i];
  return sum_of(sum) + rest == 0;
}

// A column that depends on others. KLU, which takes columns one after another, tells the first.
int dependent_column(const std::shared_ptr<const Pattern>& pattern, const EliminationOrder& order,
                     std::span<const double> values) {
  Klu klu(pattern);
  if (!klu.factor(values)) return klu.singular_column();
  std::vector<char> has_pivot(pattern->cols);
  for (const auto& p : order.pivots) has_pivot[p.column] = 1;
  const auto without = std::ranges::find(has_pivot, 0);
  return without == has_pivot.end() ? 0 : static_cast<int>(without - has_pivot.begin());
}

}  // namespace

FixedLu::FixedLu(std::shared_ptr<const Pattern> pattern)
    : pattern_(std::move(pattern)),
      inverse_(pattern_->cols),
      x_((pattern_->cols + EliminationList::lanes * EliminationList::longest)),
      column_scale_(pattern_->cols, 1.0),
      row_scale_(pattern_->cols),
      largest_(pattern_->cols),
      largest_of_u_(pattern_->cols + EliminationList::lanes) {
  assert(pattern_->rows == pattern_->cols);
}

bool FixedLu::factor(std::span<const double> values, std::span<const double> column_scale) {
  assert(static_cast<int>(values.size()) == pattern_->nonzeros());
  singular_column_ = -1;
  if (pattern_->cols == 0) return true;
  if (const int column = not_finite(values); column >= 0) return reject(column);
  if (!column_scale.empty()) std::ranges::copy(column_scale, column_scale_.begin());
  if (has_list_) {
    fill(values);
    eliminate();
    if (has_good_pivots(values)) return true;
  }
  return choose_pivots(values);
}

int FixedLu::not_finite(std::span<const double> values) const {
  if (all_finite(values.data(), values.size())) return -1;
  const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(std::abs(v)); });
  const auto& s = pattern_->start;
  return static_cast<int>(std::ranges::upper_bound(s, bad - values.begin()) - s.begin()) - 1;
}

bool FixedLu::reject(int column) {
  singular_column_ = column;
  has_list_ = false;
  return false;
}

// Values to their places. Zeros behind runs have stayed zeros.
void FixedLu::fill(std::span<const double> values) {
  double* const to = values_.data();
  const Pattern& p = *pattern_;
  const int* const entry = list_->entry.data();
  const double* const from = values.data();
  for (int j = 0; j < p.cols; ++j) {
    const double scale = column_scale_[static_cast<size_t>(j)];
#pragma GCC unroll 4
    for (int k = p.start[j], end = p.start[j + 1]; k < end; ++k) to[entry[k]] = from[k] * scale;
  }
  for (int at : list_->fill_in) to[at] = 0;
  size_rows();
}

void FixedLu::size_rows() {
  auto k = static_cast<size_t>(list_->row_begin[0]);
  for (size_t i = 0; i < row_scale_.size(); ++i) {
    Lanes most;
    for (const auto end = static_cast<size_t>(list_->row_begin[i + 1]); k < end; k += Lanes::count)
      most = max(most, abs(Lanes::load(values_.data() + k)));
    const double largest = largest_of(most);
    row_scale_[i] = largest > 0 ? 1 / largest : 1.0;
  }
}

void FixedLu::eliminate() {
  double *const values = values_.data(), *const multipliers = multipliers_.data(), *const lower = lower_.data();
  const EliminationList& list = *list_;
  const EliminationList::Copy* const from = list.from.data();
  const int* const targets = list.targets.data();
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (size_t k = 0; k < list.steps.size(); ++k) {
    const EliminationList::Step& step = list.steps[k];
    const double pivot = values[step.pivot], reciprocal = 1 / pivot;
    const double size = row_scale_[k] * std::abs(pivot);
    least = std::min(least, size), most = std::max(most, size);
    inverse_[k] = reciprocal;
#pragma GCC unroll 4
    for (int r = step.multipliers.begin; r < step.multipliers.end; ++r) {
      multipliers[r] = lower[from[r].to] = values[from[r].from] * reciprocal;
    }
    for (int s = step.segments.begin; s < step.segments.end; ++s) {
      const EliminationList::Segment& segment = list.segments[static_cast<size_t>(s)];
      subtract(segment.registers, values, segment.source, targets + segment.targets, multipliers,
               step.multipliers.begin, step.multipliers.end);
    }
  }
  double* const upper = upper_.data();
#pragma GCC unroll 4
  for (const auto& [at, to] : list.upper) upper[to] = values[at];
  rcond_ = most > 0 && std::isfinite(most) ? least / most : 0.0;
}

// Growth shows in small pivots first: it is looked at only when these have fallen since it was last. A NaN among the pivots is lost in min and max, but not in the last pivots.
bool FixedLu::has_good_pivots(std::span<const double> values) {
  if (!(rcond_ > lost_pivots * fresh_rcond_) || !all_finite(inverse_.data(), inverse_.size())) return false;
  if (rcond_ >= fallen_pivots * watched_rcond_) {
    watched_rcond_ = std::clamp(rcond_, watched_rcond_, fresh_rcond_);
    return true;
  }
  watched_rcond_ = rcond_;
  return growth(values) >= std::min(poor_growth, worse_than_fresh * fresh_growth_);
}

// Least over all columns of largest entry of A / largest entry of U, rows being scaled.
double FixedLu::growth(std::span<const double> values) {
  const EliminationList& list = *list_;
  const Pattern& p = *pattern_;
  std::vector<double>& scale = x_;  // by row of the matrix
  for (size_t k = 0; k < list.row.size(); ++k) scale[static_cast<size_t>(list.row[k])] = row_scale_[k];
  for (int j = 0; j < p.cols; ++j) {
    largest_[j] = 0;
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      largest_[j] = std::max(largest_[j], scale[p.row[k]] * column_scale_[j] * std::abs(values[k]));
  }
  std::ranges::fill(x_, 0.0);
  std::ranges::fill(largest_of_u_, 0.0);
  for (size_t k = 0; k < list.steps.size(); ++k) {
    const EliminationList::Step& step = list.steps[k];
    const Lanes row_scale = row_scale_[k];
    const double of_pivot = row_scale_[k] * std::abs(values_[static_cast<size_t>(step.pivot)]);
    largest_of_u_[k] = std::max(largest_of_u_[k], of_pivot);
    for (int s = step.segments.begin; s < step.segments.end; ++s) {  // with zeros at the ends of runs
      const EliminationList::Segment& segment = list.segments[static_cast<size_t>(s)];
      const double* from = values_.data() + segment.source;
      double* to = largest_of_u_.data() + segment.column;
      for (int w = 0; w < segment.registers; ++w, from += Lanes::count, to += Lanes::count)
        max(Lanes::load(to), row_scale * abs(Lanes::load(from))).store(to);
    }
  }
  double least = 1;
  for (size_t k = 0; k < list.steps.size(); ++k) {
    const double of_a = largest_[static_cast<size_t>(list.column[k])];
    if (of_a > 0) least = std::min(least, of_a / largest_of_u_[k]);
  }
  return least;
}

const EliminationOrder& FixedLu::search_pivots(std::span<const double> values) {
  const Pattern& p = *pattern_;
  if (!scratch_) scratch_ = std::make_unique<PivotScratch>(p);
  auto& [search, largest, scaled] = *scratch_;
  std::ranges::fill(largest, 0.0);
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      scaled[k] = values[k] * column_scale_[j], largest[p.row[k]] = std::max(largest[p.row[k]], std::abs(scaled[k]));
  }
  for (int k = 0; k < p.nonzeros(); ++k) scaled[k] *= largest[p.row[k]] > 0 ? 1 / largest[p.row[k]] : 1.0;
  ++pivotings_;
  return search.run(p, scaled);
}

// In the memory of the list before, unless a copy goes on with that.
void FixedLu::make_list(const EliminationOrder& order) {
  const bool is_first = !list_;
  if (is_first || list_.use_count() > 1) list_ = std::make_shared<EliminationList>();
  list_->make(*pattern_, order);
  has_list_ = true;
  const auto make_zero = [&](std::vector<double>& v, size_t count) {
    if (is_first) v.reserve(2 * count);
    v.assign(count, 0.0);
  };
  make_zero(values_, static_cast<size_t>(list_->values));
  make_zero(multipliers_, list_->from.size());
  make_zero(lower_, static_cast<size_t>(list_->lower_panels.size()));
  make_zero(upper_, static_cast<size_t>(list_->upper_panels.size()));
}

bool FixedLu::choose_pivots(std::span<const double> values) {
  const EliminationOrder& order = search_pivots(values);
  if (static_cast<int>(order.pivots.size()) < pattern_->cols) return reject(dependent_column(pattern_, order, values));
  make_list(order);
  fill(values);
  eliminate();
  if (!(rcond_ > 0)) return reject(dependent_column(pattern_, order, values));
  fresh_growth_ = growth(values), fresh_rcond_ = watched_rcond_ = rcond_;
  return true;
}

void FixedLu::solve(std::span<double> b) {
  if (b.empty()) return;
  assert(has_list_ && b.size() == row_scale_.size());
  const EliminationList& list = *list_;
  double* const x = x_.data();
  const size_t n = b.size();
  const int *const row = list.row.data(), *const column = list.column.data();
#pragma GCC unroll 4
  for (size_t k = 0; k < n; ++k) x[k] = b[static_cast<size_t>(row[k])];
  list.lower_panels.solve(lower_.data(), x);
  list.upper_panels.solve(upper_.data(), inverse_.data(), x);
  const double* const scale = column_scale_.data();
#pragma GCC unroll 4
  for (size_t k = 0; k < n; ++k) {
    const auto j = static_cast<size_t>(column[k]);
    b[j] = x[k] * scale[j];
  }
}

}  // namespace skyhook
