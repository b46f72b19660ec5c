#include "skyhook/math/triangular_panels.h"

#include <algorithm>

#include "skyhook/math/lanes.h"

namespace skyhook {
namespace {

constexpr int lanes = TriangularPanels::lanes;
constexpr int triangle = lanes * (lanes - 1) / 2;  // entries of a panel among its own columns

// Where the triangle has the entry of column a in row b, in turns.
constexpr int in_triangle(int a, int b) { return a * (2 * lanes - 1 - a) / 2 + b - a - 1; }

// One panel, whose four of x is `own`; a to d are its unknowns in turn. The values behind it.
// Written out: GCC 12 makes of loops what goes through memory in other sizes than it is read.
template <int step>
const double* subtract(const double* values, const int* fours, int count, const double* inverse, double* own,
                       double* x) {
  constexpr int at_a = step > 0 ? 0 : 3, at_b = at_a + step, at_c = at_b + step, at_d = at_c + step;
  const Lanes before = Lanes::load(own);
  double a = before[at_a], b = before[at_b], c = before[at_c], d = before[at_d];
  if constexpr (step < 0) a *= inverse[at_a];
  b -= values[0] * a, c -= values[1] * a, d -= values[2] * a;
  if constexpr (step < 0) b *= inverse[at_b];
  c -= values[3] * b, d -= values[4] * b;
  if constexpr (step < 0) c *= inverse[at_c];
  d -= values[5] * c;
  if constexpr (step < 0) d *= inverse[at_d];
  (step > 0 ? Lanes(a, b, c, d) : Lanes(d, c, b, a)).store(own);
  values += triangle;
  for (const Lanes of_a = a, of_b = b, of_c = c, of_d = d; count-- > 0; values += lanes * lanes) {
    double* const at = x + *fours++;
    Lanes rest = Lanes::load(at);
    rest -= of_a * Lanes::load(values);
    rest -= of_b * Lanes::load(values + lanes);
    rest -= of_c * Lanes::load(values + 2 * lanes);
    rest -= of_d * Lanes::load(values + 3 * lanes);
    rest.store(at);
  }
  return values;
}

}  // namespace

void TriangularPanels::make(Turns turns, std::span<const int> begin, std::span<const int> rows) {
  turns_ = turns, columns_ = static_cast<int>(begin.size()) - 1, size_ = 0;
  begin_ = begin, rows_ = rows;
  const int panels = (columns_ + lanes - 1) / lanes;
  counts_.clear(), fours_.clear(), places_.resize(rows.size()), slot_.assign(static_cast<std::size_t>(panels), -1);
  for (int turn = 0; turn < panels; ++turn) place(four_at(turn));
}

void TriangularPanels::keep_room() {
  fours_.reserve(2 * fours_.size()), places_.reserve(2 * places_.size());
  found_.reserve(slot_.size());
}

// Those in which the columns of a four have entries, without itself.
void TriangularPanels::find_fours(int own, int first, int end) {
  found_.clear();
  for (const int row : rows_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first))) {
    const int four = row / lanes;
    if (four == own || slot_[static_cast<std::size_t>(four)] >= 0) continue;
    slot_[static_cast<std::size_t>(four)] = 0, found_.push_back(four);
  }
  std::ranges::sort(found_);
  for (std::size_t f = 0; f < found_.size(); ++f) slot_[static_cast<std::size_t>(found_[f])] = static_cast<int>(f);
}

void TriangularPanels::place(int own) {
  const int first = own * lanes, end = std::min(first + lanes, columns_), below = size_ + triangle;
  find_fours(own, begin_[first], begin_[end]);
  for (int j = first; j < end; ++j) {
    const int a = turn_in_four(j);
    int entry = begin_[j];
    for (const int row : rows_of(j)) {
      const int four = slot_[static_cast<std::size_t>(row / lanes)];
      places_[entry++] =
          four < 0 ? size_ + in_triangle(a, turn_in_four(row)) : below + (four * lanes + a) * lanes + row % lanes;
    }
  }
  counts_.push_back(static_cast<int>(found_.size()));
  for (const int four : found_) fours_.push_back(lanes * four), slot_[static_cast<std::size_t>(four)] = -1;
  size_ = below + static_cast<int>(found_.size()) * lanes * lanes;
}

void TriangularPanels::solve(const double* values, double* x) const { solve<1>(values, nullptr, x); }

void TriangularPanels::solve(const double* values, const double* inverse, double* x) const {
  solve<-1>(values, inverse, x);
}

template <int step>
void TriangularPanels::solve(const double* values, const double* inverse, double* const x) const {
  const int* fours = fours_.data();
  const int panels = static_cast<int>(counts_.size()), rest = columns_ % lanes;
  const auto solve_panel = [&](int turn, const double* inverse_of_own, double* own) {
    const int count = counts_[static_cast<std::size_t>(turn)];
    values = subtract<step>(values, fours, count, inverse_of_own, own, x);
    fours += count;
  };
  if constexpr (step > 0) {
    for (int turn = 0; turn < panels; ++turn) solve_panel(turn, nullptr, x + lanes * turn);
  } else {
    int turn = 0;
    if (rest > 0) {  // the last columns, which fill no four
      double own[lanes] = {}, inverse_of_own[lanes] = {};
      const int first = columns_ - rest;
      std::copy_n(x + first, rest, own), std::copy_n(inverse + first, rest, inverse_of_own);
      solve_panel(turn++, inverse_of_own, own);
      std::copy_n(own, rest, x + first);
    }
    for (; turn < panels; ++turn) solve_panel(turn, inverse + lanes * four_at(turn), x + lanes * four_at(turn));
  }
}

}  // namespace skyhook
