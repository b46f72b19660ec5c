#include "skyhook/math/triangular_panels.h"

#include <algorithm>

#include "skyhook/math/lanes.h"

namespace skyhook {
namespace {

// Instructions, about: of a panel, of each column in its triangle, of one of its fours whatever its width, and of a column there.
constexpr int cost_of_panel = 18, cost_in_triangle = 6, cost_of_four = 8, cost_in_four = 2;

int cost(int width, std::size_t fours) {
  return cost_of_panel + cost_in_triangle * width + (cost_of_four + cost_in_four * width) * static_cast<int>(fours);
}

// Entries below the diagonal.
constexpr int triangle(int width) { return width * (width - 1) / 2; }

// One panel, whose first row is that of x and `inverse`, the next ones `step` further. The values behind it.
template <int step, int width>
const double* subtract(const double* values, const int* fours, int count, const double* inverse, double* own,
                       double* x) {
  Lanes known[width];
  double mine[width];
  for (int a = 0; a < width; ++a) {
    double at = own[step * a];
    for (int b = 0; b < a; ++b) at -= *values++ * mine[b];
    if constexpr (step < 0) at *= inverse[step * a];
    own[step * a] = mine[a] = at, known[a] = at;
  }
  for (int f = 0; f < count; ++f, values += TriangularPanels::lanes * width) {
    double* const at = x + fours[f];
    Lanes rest = Lanes::load(at);
    for (int a = 0; a < width; ++a) rest -= known[a] * Lanes::load(values + TriangularPanels::lanes * a);
    rest.store(at);
  }
  return values;
}

}  // namespace

void TriangularPanels::make(Turns turns, std::span<const int> begin, std::span<const int> rows) {
  turns_ = turns, columns_ = static_cast<int>(begin.size()) - 1, size_ = 0;
  begin_ = begin, rows_ = rows;
  panels_.clear(), fours_.clear(), places_.resize(rows.size());
  seen_.assign(static_cast<std::size_t>(columns_ / lanes + 1), 0), slot_.resize(seen_.size()), looks_ = 0;
  for (int first = 0; first < columns_; first += panels_.back().columns) place(first, width_from(first));
}

void TriangularPanels::keep_room() {
  fours_.reserve(2 * fours_.size()), places_.reserve(2 * places_.size());
  panels_.reserve(static_cast<std::size_t>(columns_)), found_.reserve(seen_.size());
}

// Columns join as long as that is cheaper than to stay alone. Rows that the widest panel would have in its triangle are not counted.
int TriangularPanels::width_from(int first) {
  ++looks_;
  int width = 0, now = 0;
  std::size_t fours = 0;
  for (; width < widest && first + width < columns_; ++width) {
    std::size_t alone = 0, others = 0;
    int last = -1;
    for (const int row : rows_of(first + width)) {
      const int four = row / lanes;
      if (four == last || turn(row) < first + widest) continue;
      last = four, ++alone;
      int& seen = seen_[static_cast<std::size_t>(four)];
      if (seen != looks_) seen = looks_, ++others;
    }
    const int joined = cost(width + 1, fours + others);
    if (width > 0 && joined > now + cost(1, alone)) break;
    now = joined, fours += others;
  }
  return width;
}

// That some columns have below their triangle.
void TriangularPanels::find_fours(int first, int width) {
  found_.clear(), ++looks_;
  for (int at = first; at < first + width; ++at) {
    for (const int row : rows_of(at)) {
      int& seen = seen_[static_cast<std::size_t>(row / lanes)];
      if (seen == looks_ || turn(row) < first + width) continue;
      seen = looks_, found_.push_back(row / lanes * lanes);
    }
  }
  std::ranges::sort(found_);
}

void TriangularPanels::place(int first, int width) {
  find_fours(first, width);
  const int fours = static_cast<int>(found_.size()), below = size_ + triangle(width);
  for (int f = 0; f < fours; ++f) slot_[static_cast<std::size_t>(found_[f] / lanes)] = f;
  for (int a = 0; a < width; ++a) {
    int entry = begin_[column(first + a)];
    for (const int row : rows_of(first + a)) {
      const int among = turn(row) - first, four = slot_[static_cast<std::size_t>(row / lanes)];
      places_[entry++] = among < width ? size_ + triangle(among) + a : below + (four * width + a) * lanes + row % lanes;
    }
  }
  panels_.push_back({width, fours});
  fours_.insert(fours_.end(), found_.begin(), found_.end());
  size_ = below + fours * width * lanes;
}

void TriangularPanels::solve(const double* values, double* x) const { solve<1>(values, nullptr, x); }

void TriangularPanels::solve(const double* values, const double* inverse, double* x) const {
  solve<-1>(values, inverse, x);
}

template <int step>
void TriangularPanels::solve(const double* values, const double* inverse, double* const x) const {
  double* own = x + column(0);
  if (inverse) inverse += column(0);
  const int* fours = fours_.data();
  for (const Panel& p : panels_) {
    switch (p.columns) {
      case 1: values = subtract<step, 1>(values, fours, p.fours, inverse, own, x); break;
      case 2: values = subtract<step, 2>(values, fours, p.fours, inverse, own, x); break;
      case 3: values = subtract<step, 3>(values, fours, p.fours, inverse, own, x); break;
      default: values = subtract<step, 4>(values, fours, p.fours, inverse, own, x); break;
    }
    fours += p.fours, own += step * p.columns;
    if constexpr (step < 0) inverse += step * p.columns;
  }
}

}  // namespace skyhook
