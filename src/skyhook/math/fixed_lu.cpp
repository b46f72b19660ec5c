#include "skyhook/math/fixed_lu.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "skyhook/math/klu.h"
#include "skyhook/math/lanes.h"

namespace skyhook {
namespace {

using std::size_t;

// When kept pivots are given up: as in klu.cpp.
constexpr double poor_growth = 1e-4, worse_than_fresh = 1e-2, fallen_pivots = 0.1;
constexpr double lost_pivots =
    1e-12;  // given up in any case: the search for others tells whether the matrix is singular

// Complex numbers without the care of std::complex for infinities, one or four.
template <class T>
struct Pair {
  T re{}, im{};
  friend Pair operator-(const Pair& a, const Pair& b) { return {a.re - b.re, a.im - b.im}; }
  friend Pair operator*(const Pair& a, const Pair& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};

double sum_of(const Lanes& x) { return (x[0] + x[2]) + (x[1] + x[3]); }
double largest_of(const Lanes& x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

// How numbers stand in an array: real parts, and after `plane` of them the imaginary ones.
template <class Scalar>
struct Stored;
template <>
struct Stored<double> {
  using One = double;
  using Four = Lanes;
  static constexpr size_t planes = 1;
  static One get(const double* v, size_t) { return *v; }
  static void set(double* v, size_t, One x) { *v = x; }
  static Four load(const double* v, size_t) { return Lanes::load(v); }
  static void store(double* v, size_t, const Four& x) { x.store(v); }
  static Four four(One x) { return x; }
  static One reciprocal(One x) { return 1 / x; }
  static double size(One x) { return std::abs(x); }
  static Lanes sizes(const Four& x) { return abs(x); }
  static One scaled(One x, double s) { return x * s; }
  static One from(double x) { return x; }
  static double to(One x) { return x; }
};
template <>
struct Stored<std::complex<double>> {
  using One = Pair<double>;
  using Four = Pair<Lanes>;
  static constexpr size_t planes = 2;
  static One get(const double* v, size_t plane) { return {v[0], v[plane]}; }
  static void set(double* v, size_t plane, const One& x) { v[0] = x.re, v[plane] = x.im; }
  static Four load(const double* v, size_t plane) { return {Lanes::load(v), Lanes::load(v + plane)}; }
  static void store(double* v, size_t plane, const Four& x) { x.re.store(v), x.im.store(v + plane); }
  static Four four(const One& x) { return {x.re, x.im}; }
  static One reciprocal(const One& x) { return from(1.0 / to(x)); }
  static double size(const One& x) { return std::max(std::abs(x.re), std::abs(x.im)); }
  static Lanes sizes(const Four& x) { return max(abs(x.re), abs(x.im)); }
  static One scaled(const One& x, double s) { return {x.re * s, x.im * s}; }
  static One from(const std::complex<double>& x) { return {x.real(), x.imag()}; }
  static std::complex<double> to(const One& x) { return {x.re, x.im}; }
};

// An array of such numbers.
template <class Scalar>
struct Array {
  double* v;
  size_t plane;
  explicit Array(std::vector<double>& of) : v(of.data()), plane(of.size() / Stored<Scalar>::planes) {}
  auto get(size_t at) const { return Stored<Scalar>::get(v + at, plane); }
  void set(size_t at, const typename Stored<Scalar>::One& x) const { Stored<Scalar>::set(v + at, plane, x); }
  auto load(size_t at) const { return Stored<Scalar>::load(v + at, plane); }
  void store(size_t at, const typename Stored<Scalar>::Four& x) const { Stored<Scalar>::store(v + at, plane, x); }
};

// From each target a segment of the pivot's row times the multiplier of its row. The segment stays in registers.
template <class Scalar, int registers>
void subtract(const Array<Scalar>& values, int source, const int* target, const Array<Scalar>& multipliers, int begin,
              int end) {
  using S = Stored<Scalar>;
  typename S::Four u[registers];
  for (int w = 0; w < registers; ++w) u[w] = values.load(static_cast<size_t>(source + 4 * w));
  for (int r = begin; r < end; ++r) {
    const auto m = S::four(multipliers.get(static_cast<size_t>(r)));
    const auto at = static_cast<size_t>(*target++);
    for (int w = 0; w < registers; ++w) values.store(at + 4 * w, values.load(at + 4 * w) - m * u[w]);
  }
}

template <class Scalar>
void subtract(int registers, const Array<Scalar>& values, int source, const int* target,
              const Array<Scalar>& multipliers, int begin, int end) {
  static_assert(EliminationList::longest == 6 && EliminationList::lanes == Lanes::count);
  switch (registers) {
    case 1: return subtract<Scalar, 1>(values, source, target, multipliers, begin, end);
    case 2: return subtract<Scalar, 2>(values, source, target, multipliers, begin, end);
    case 3: return subtract<Scalar, 3>(values, source, target, multipliers, begin, end);
    case 4: return subtract<Scalar, 4>(values, source, target, multipliers, begin, end);
    case 5: return subtract<Scalar, 5>(values, source, target, multipliers, begin, end);
    default: return subtract<Scalar, 6>(values, source, target, multipliers, begin, end);
  }
}

// The columns of L or U one after another, in fours.
template <class Scalar>
class Columns {
 public:
  Columns(std::vector<double>& fours, const std::vector<int>& rows)
      : at_(fours.data()), plane_(fours.size() / Stored<Scalar>::planes), row_(rows.data()) {}
  // x less the next column, which has `count` fours, times what is known of x.
  void subtract_next(int count, const typename Stored<Scalar>::One& known, const Array<Scalar>& x) {
    using S = Stored<Scalar>;
    const auto factor = S::four(known);
    for (; count > 0; --count, at_ += EliminationList::lanes) {
      const std::ptrdiff_t row = *row_++;
      S::store(x.v + row, x.plane, S::load(x.v + row, x.plane) - factor * S::load(at_, plane_));
    }
  }

 private:
  const double* at_;
  size_t plane_;
  const int* row_;
};

// 0 times anything but a finite number is no number.
bool all_finite(const double* x, size_t n) {
  Lanes sum;
  double rest = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) sum += Lanes(0.0) * Lanes::load(x + i);
  for (; i < n; ++i) rest += 0.0 * x[i];
  return sum_of(sum) + rest == 0;
}

// A column that depends on others. KLU, which takes columns one after another, tells the first; for complex matrices nobody asks.
template <class Scalar>
int dependent_column(const std::shared_ptr<const Pattern>& pattern, const EliminationOrder& order,
                     std::span<const Scalar> values) {
  if constexpr (std::is_same_v<Scalar, double>) {
    Klu klu(pattern);
    if (!klu.factor(values)) return klu.singular_column();
  }
  std::vector<char> has_pivot(pattern->cols);
  for (const auto& p : order.pivots) has_pivot[p.column] = 1;
  const auto without = std::ranges::find(has_pivot, 0);
  return without == has_pivot.end() ? 0 : static_cast<int>(without - has_pivot.begin());
}

}  // namespace

template <class Scalar>
FixedLu<Scalar>::FixedLu(std::shared_ptr<const Pattern> pattern)
    : pattern_(std::move(pattern)),
      inverse_(Stored<Scalar>::planes * pattern_->cols),
      x_(Stored<Scalar>::planes * (pattern_->cols + EliminationList::lanes * EliminationList::longest)),
      column_scale_(pattern_->cols, 1.0),
      row_scale_(pattern_->cols),
      largest_(pattern_->cols),
      largest_of_u_(pattern_->cols) {
  assert(pattern_->rows == pattern_->cols);
}

template <class Scalar>
bool FixedLu<Scalar>::factor(std::span<const Scalar> values, std::span<const double> column_scale) {
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

template <class Scalar>
int FixedLu<Scalar>::not_finite(std::span<const Scalar> values) const {
  if (all_finite(reinterpret_cast<const double*>(values.data()), Stored<Scalar>::planes * values.size())) return -1;
  const auto bad = std::ranges::find_if(values, [](const Scalar& v) { return !std::isfinite(std::abs(v)); });
  const auto& s = pattern_->start;
  return static_cast<int>(std::ranges::upper_bound(s, bad - values.begin()) - s.begin()) - 1;
}

template <class Scalar>
bool FixedLu<Scalar>::reject(int column) {
  singular_column_ = column;
  has_list_ = false;
  return false;
}

// Values to their places. Zeros behind runs have stayed zeros.
template <class Scalar>
void FixedLu<Scalar>::fill(std::span<const Scalar> values) {
  using S = Stored<Scalar>;
  const Array<Scalar> to(values_);
  const Pattern& p = *pattern_;
  const int* const entry = list_->entry.data();
  const Scalar* const from = values.data();
  for (int j = 0; j < p.cols; ++j) {
    const double scale = column_scale_[static_cast<size_t>(j)];
    for (int k = p.start[j], end = p.start[j + 1]; k < end; ++k)
      to.set(static_cast<size_t>(entry[k]), S::from(from[k] * scale));
  }
  for (int at : list_->fill_in) to.set(static_cast<size_t>(at), {});
  size_rows();
}

template <class Scalar>
void FixedLu<Scalar>::size_rows() {
  const Array<Scalar> values(values_);
  auto k = static_cast<size_t>(list_->row_begin[0]);
  for (size_t i = 0; i < row_scale_.size(); ++i) {
    Lanes most;
    for (const auto end = static_cast<size_t>(list_->row_begin[i + 1]); k < end; k += Lanes::count)
      most = max(most, Stored<Scalar>::sizes(values.load(k)));
    const double largest = largest_of(most);
    row_scale_[i] = largest > 0 ? 1 / largest : 1.0;
  }
}

template <class Scalar>
void FixedLu<Scalar>::eliminate() {
  using S = Stored<Scalar>;
  const Array<Scalar> values(values_), multipliers(multipliers_), inverse(inverse_), lower(lower_), upper(upper_);
  const EliminationList& list = *list_;
  const EliminationList::Copy* const from = list.from.data();
  const int* const targets = list.targets.data();
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (size_t k = 0; k < list.steps.size(); ++k) {
    const EliminationList::Step& step = list.steps[k];
    const auto pivot = values.get(static_cast<size_t>(step.pivot));
    const auto reciprocal = S::reciprocal(pivot);
    const double size = row_scale_[k] * S::size(pivot);
    least = std::min(least, size), most = std::max(most, size);
    inverse.set(k, reciprocal);
    for (int r = step.multipliers.begin; r < step.multipliers.end; ++r) {
      const auto multiplier = values.get(static_cast<size_t>(from[r].from)) * reciprocal;
      multipliers.set(static_cast<size_t>(r), multiplier);
      lower.set(static_cast<size_t>(from[r].to), multiplier);
    }
    for (int s = step.segments.begin; s < step.segments.end; ++s) {
      const EliminationList::Segment& segment = list.segments[static_cast<size_t>(s)];
      subtract(segment.registers, values, segment.source, targets + segment.targets, multipliers,
               step.multipliers.begin, step.multipliers.end);
    }
  }
  for (const auto& [at, to] : list.upper) upper.set(static_cast<size_t>(to), values.get(static_cast<size_t>(at)));
  rcond_ = most > 0 && std::isfinite(most) ? least / most : 0.0;
}

// Growth shows in small pivots first: it is looked at only when these have fallen. A NaN among the pivots is lost in min and max, but not in the last pivots.
template <class Scalar>
bool FixedLu<Scalar>::has_good_pivots(std::span<const Scalar> values) {
  if (!(rcond_ > lost_pivots * fresh_rcond_) || !all_finite(inverse_.data(), inverse_.size())) return false;
  return rcond_ >= fallen_pivots * fresh_rcond_ ||
         growth(values) >= std::min(poor_growth, worse_than_fresh * fresh_growth_);
}

// Least over all columns of largest entry of A / largest entry of U, rows being scaled.
template <class Scalar>
double FixedLu<Scalar>::growth(std::span<const Scalar> values) {
  using S = Stored<Scalar>;
  const EliminationList& list = *list_;
  const Array<Scalar> u(values_);
  const Pattern& p = *pattern_;
  std::vector<double>& scale = x_;  // by row of the matrix
  for (size_t k = 0; k < list.row.size(); ++k) scale[static_cast<size_t>(list.row[k])] = row_scale_[k];
  for (int j = 0; j < p.cols; ++j) {
    largest_[j] = 0;
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      largest_[j] = std::max(largest_[j], scale[p.row[k]] * column_scale_[j] * S::size(S::from(values[k])));
  }
  std::ranges::fill(x_, 0.0);
  std::ranges::fill(largest_of_u_, 0.0);
  for (size_t k = 0; k < list.steps.size(); ++k) {
    const EliminationList::Step& step = list.steps[k];
    const auto take = [&](int column, int at) {
      if (column >= p.cols) return;  // zeros at the end of a run
      const double size = row_scale_[k] * S::size(u.get(static_cast<size_t>(at)));
      largest_of_u_[column] = std::max(largest_of_u_[column], size);
    };
    take(static_cast<int>(k), step.pivot);
    for (int s = step.segments.begin; s < step.segments.end; ++s) {
      const EliminationList::Segment& segment = list.segments[static_cast<size_t>(s)];
      for (int c = 0; c < segment.registers * EliminationList::lanes; ++c) take(segment.column + c, segment.source + c);
    }
  }
  double least = 1;
  for (size_t k = 0; k < list.steps.size(); ++k) {
    const double of_a = largest_[static_cast<size_t>(list.column[k])];
    if (of_a > 0) least = std::min(least, of_a / largest_of_u_[k]);
  }
  return least;
}

template <class Scalar>
const EliminationOrder& FixedLu<Scalar>::search_pivots(std::span<const Scalar> values) {
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
template <class Scalar>
void FixedLu<Scalar>::make_list(const EliminationOrder& order) {
  const bool is_first = !list_;
  if (is_first || list_.use_count() > 1) list_ = std::make_shared<EliminationList>();
  list_->make(*pattern_, order);
  has_list_ = true;
  const auto make_zero = [&](std::vector<double>& v, size_t count) {
    if (is_first) v.reserve(2 * Stored<Scalar>::planes * count);
    v.assign(Stored<Scalar>::planes * count, 0.0);
  };
  make_zero(values_, static_cast<size_t>(list_->values));
  make_zero(multipliers_, list_->from.size());
  make_zero(lower_, EliminationList::lanes * list_->lower_rows.size());
  make_zero(upper_, EliminationList::lanes * list_->upper_rows.size());
}

template <class Scalar>
bool FixedLu<Scalar>::choose_pivots(std::span<const Scalar> values) {
  const EliminationOrder& order = search_pivots(values);
  if (static_cast<int>(order.pivots.size()) < pattern_->cols) return reject(dependent_column(pattern_, order, values));
  make_list(order);
  fill(values);
  eliminate();
  if (!(rcond_ > 0)) return reject(dependent_column(pattern_, order, values));
  fresh_growth_ = growth(values), fresh_rcond_ = rcond_;
  return true;
}

template <class Scalar>
void FixedLu<Scalar>::solve(std::span<Scalar> b) {
  using S = Stored<Scalar>;
  if (b.empty()) return;
  assert(has_list_ && b.size() == row_scale_.size());
  const EliminationList& list = *list_;
  const Array<Scalar> inverse(inverse_), x(x_);
  const size_t n = b.size();
  const int *const row = list.row.data(), *const column = list.column.data();
  for (size_t k = 0; k < n; ++k) x.set(k, S::from(b[static_cast<size_t>(row[k])]));
  Columns<Scalar> lower(lower_, list.lower_rows), upper(upper_, list.upper_rows);
  const int *const in_lower = list.lower_count.data(), *const in_upper = list.upper_count.data();
  for (size_t k = 0; k < n; ++k) lower.subtract_next(in_lower[k], x.get(k), x);
  const double* const scale = column_scale_.data();
  for (size_t k = n; k-- > 0;) {
    const auto known = x.get(k) * inverse.get(k);
    const auto j = static_cast<size_t>(column[k]);
    b[j] = S::to(S::scaled(known, scale[j]));
    upper.subtract_next(in_upper[k], known, x);
  }
}

template class FixedLu<double>;
template class FixedLu<std::complex<double>>;

}  // namespace skyhook
