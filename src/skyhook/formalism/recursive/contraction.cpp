#include "skyhook/formalism/recursive/contraction.h"

#include <algorithm>
#include <array>

#include "skyhook/math/lanes.h"

namespace skyhook::formalism::recursive {
namespace {

constexpr int most_lanes = 16;

// Factors of all wide indices one behind the other, and where those of each begin.
std::vector<int> places_of(const Expansion& index, std::vector<double>& factors) {
  std::vector<int> places;
  for (const auto& terms : index.of) {
    places.push_back(static_cast<int>(factors.size()));
    for (const auto& term : terms) factors.push_back(term.second);
  }
  factors.resize(factors.size() + most_lanes);  // sums read full lanes
  return places;
}

struct Entry {
  int other, place;  // index across, and where the value stands
};

// Entries of a matrix in compressed columns, row by row.
std::vector<std::vector<Entry>> rows_of(const Pattern& from) {
  std::vector<std::vector<Entry>> rows(static_cast<std::size_t>(from.rows));
  for (int j = 0; j < from.cols; ++j) {
    for (int k = from.start[j]; k < from.start[j + 1]; ++k) rows[from.row[k]].push_back({j, k});
  }
  return rows;
}

// Of one row or column: which narrow indices it has, in order, and where each of them stands.
class Slots {
 public:
  explicit Slots(int narrow) : slot_(static_cast<std::size_t>(narrow), -1) {}
  const std::vector<int>& of(const std::vector<Entry>& entries, const Expansion& index, int first,
                             std::span<const int> more = {}) {
    for (const int i : found_) slot_[i] = -1;
    found_.clear();
    for (const Entry& e : entries) {
      for (const auto& term : index.of[e.other]) add(term.first);
    }
    for (const int i : more) add(i);
    std::ranges::sort(found_);
    for (const int i : found_) slot_[i] = first++;
    return found_;
  }
  int operator[](int narrow) const { return slot_[narrow]; }

 private:
  void add(int narrow) {
    if (slot_[narrow] < 0) slot_[narrow] = 0, found_.push_back(narrow);
  }

  std::vector<int> slot_, found_;
};

}  // namespace

Expansion Expansion::same(int count) {
  Expansion out{{}, count};
  for (int i = 0; i < count; ++i) out.of.push_back({{i, 1.0}});
  return out;
}

Expansion Expansion::columns(const Tree& tree) {
  Expansion out = same(tree.first_waist);
  for (const int p : tree.points) {
    const Waist& waist = *tree.nodes[p].waist;
    for (int c = 0; c < 6; ++c) {
      out.of.emplace_back();
      for (int k = 0; k < waist.modes; ++k) {
        const double factor = waist.factor(c, k);
        if (factor != 0.0) out.of.back().push_back({waist.iv + k, factor});
      }
    }
  }
  return out;
}

void Expansion::append(const Expansion& other) {
  for (auto terms : other.of) {
    for (auto& term : terms) term.first += narrow;
    of.push_back(std::move(terms));
  }
  narrow += other.narrow;
}

Contraction::Contraction(const Pattern& wide, const Expansion& rows, const Expansion& columns,
                         std::span<const std::pair<int, int>> more)
    : wide_(wide.nonzeros()) {
  const std::vector<int> column_places = places_of(columns, column_factors_),
                         row_places = places_of(rows, row_factors_);
  std::vector<std::vector<Entry>> between(static_cast<std::size_t>(columns.narrow));  // column by column
  Slots slots(columns.narrow);
  int row = 0;
  for (const auto& entries : rows_of(wide)) {
    for (const int j : slots.of(entries, columns, between_)) between[j].push_back({row, between_++});
    for (const Entry& e : entries) {
      for (std::size_t k = 0; k < columns.of[e.other].size(); ++k) {
        const auto& [j, factor] = columns.of[e.other][k];
        columns_.add(e.place, slots[j], factor, column_places[e.other] + static_cast<int>(k));
      }
    }
    ++row;
  }
  narrow_.rows = rows.narrow, narrow_.cols = columns.narrow, narrow_.start = {0};
  std::vector<std::vector<int>> later(between.size());
  for (const auto& [i, j] : more) later[j].push_back(i);
  Slots places(rows.narrow);
  for (std::size_t j = 0; j < between.size(); ++j) {
    const std::vector<Entry>& entries = between[j];
    const std::vector<int>& found = places.of(entries, rows, narrow_.start.back(), later[j]);
    narrow_.row.insert(narrow_.row.end(), found.begin(), found.end());
    narrow_.start.push_back(static_cast<int>(narrow_.row.size()));
    for (const Entry& e : entries) {
      for (std::size_t k = 0; k < rows.of[e.other].size(); ++k) {
        const auto& [i, factor] = rows.of[e.other][k];
        rows_.add(e.place, places[i], factor, row_places[e.other] + static_cast<int>(k));
      }
    }
  }
}

void Contraction::Runs::add(int from, int to, double factor, int place) {
  if (factor == 1.0) {
    if (!same.empty() && same.back().from + same.back().count == from && same.back().to + same.back().count == to)
      ++same.back().count;
    else
      same.push_back({from, to, 1, place});
    return;
  }
  const bool goes_on = !spread.empty() && spread.back().from == from && spread.back().to + spread.back().count == to &&
                       spread.back().factors + spread.back().count == place;
  if (goes_on)
    ++spread.back().count;
  else
    spread.push_back({from, to, 1, place});
}

namespace {

// What the runs from `first` to `last` add to `count` values, no more than there are lanes: the six columns of a point have the same targets.
template <int Registers, class Iterator>
inline void add_runs(Iterator first, Iterator last, const double* from, const double* factors, double* to, int count) {
  std::array<Lanes, Registers> sum{};
  for (Iterator r = first; r != last; ++r) {
    const Lanes value(from[r->from]);
    const double* const factor = factors + r->factors;
    for (std::size_t i = 0; i < Registers; ++i) sum[i] += value * Lanes::load(factor + 4 * i);
  }
  std::array<double, std::size_t{4} * Registers> values;
  for (std::size_t i = 0; i < Registers; ++i) sum[i].store(values.data() + 4 * i);
  for (int i = 0; i < count; ++i) to[i] += values[static_cast<std::size_t>(i)];
}

}  // namespace

void Contraction::Runs::apply(const double* from, const std::vector<double>& factors, double* to) const {
  for (const Run& r : same) {
    for (int i = 0; i < r.count; ++i) to[r.to + i] += from[r.from + i];
  }
  for (auto first = spread.begin(); first != spread.end();) {
    const auto last =
        std::find_if(first, spread.end(), [&](const Run& r) { return r.to != first->to || r.count != first->count; });
    for (int done = 0; done < first->count; done += most_lanes) {
      const int left = std::min(first->count - done, most_lanes);
      const double* const factor = factors.data() + done;
      double* const sums = to + first->to + done;
      if (left <= 4)
        add_runs<1>(first, last, from, factor, sums, left);
      else if (left <= 8)
        add_runs<2>(first, last, from, factor, sums, left);
      else if (left <= 12)
        add_runs<3>(first, last, from, factor, sums, left);
      else
        add_runs<4>(first, last, from, factor, sums, left);
    }
    first = last;
  }
}

void Contraction::apply(std::span<const double> wide, std::span<double> values, std::vector<double>& scratch) const {
  scratch.assign(static_cast<std::size_t>(between_), 0.0);
  columns_.apply(wide.data(), column_factors_, scratch.data());
  std::ranges::fill(values, 0.0);
  rows_.apply(scratch.data(), row_factors_, values.data());
}

void Contraction::apply(std::span<const double> wide, double* const* columns, std::vector<double>& scratch) const {
  const auto between = static_cast<std::size_t>(between_), all = between + static_cast<std::size_t>(narrow_.nonzeros());
  scratch.assign(all, 0.0);
  double *const first = scratch.data(), *const second = first + between;
  columns_.apply(wide.data(), column_factors_, first);
  rows_.apply(first, row_factors_, second);
  for (int j = 0; j < narrow_.cols; ++j)
    std::copy(second + narrow_.start[j], second + narrow_.start[j + 1], columns[j]);
}

}  // namespace skyhook::formalism::recursive
