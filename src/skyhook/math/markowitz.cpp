#include "skyhook/math/markowitz.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace skyhook {
namespace {

constexpr double threshold = 0.1;  // of the largest in its column
// Of the largest in its column at the beginning: what is left below it is the rounding error of a column that depends on others.
constexpr double nothing_left = 4 * std::numeric_limits<double>::epsilon();
constexpr int enough_lines = 6;  // looked at in vain for a better pivot

// Lines (rows or columns) by their number of entries.
class Buckets {
 public:
  explicit Buckets(int n) : head_(n + 1, -1), next_(n, -1), previous_(n, -1) {}
  void clear() { std::ranges::fill(head_, -1); }
  int first(int count) const { return head_[count]; }
  int next(int line) const { return next_[line]; }
  void add(int line, int count) {
    previous_[line] = -1, next_[line] = head_[count];
    if (next_[line] >= 0) previous_[next_[line]] = line;
    head_[count] = line;
  }
  void remove(int line, int count) {
    (previous_[line] < 0 ? head_[count] : next_[previous_[line]]) = next_[line];
    if (next_[line] >= 0) previous_[next_[line]] = previous_[line];
  }

 private:
  std::vector<int> head_, next_, previous_;
};

// The entries of each line that are still to be eliminated, in any order. A line that outgrows its place moves behind all others.
class Lines {
 public:
  struct Entry {
    int line;   // of the other kind
    int value;  // where it stands
  };
  explicit Lines(int n) : begin_(n), counts_(n), room_(n), buckets_(n) {}
  // Without entries, with room for these and some that fill in.
  void clear(std::span<const int> counts) {
    std::ranges::fill(counts_, 0), buckets_.clear();
    int end = 0;
    for (std::size_t line = 0; line < counts.size(); ++line) {
      begin_[line] = end, room_[line] = counts[line] + counts[line] / 2 + 2;
      end += room_[line];
    }
    if (entries_.empty()) entries_.reserve(2 * end);
    entries_.resize(end);
  }
  void keep_room() { entries_.reserve(2 * entries_.size()); }
  std::span<const Entry> of(int line) const { return {&entries_[begin_[line]], std::size_t(counts_[line])}; }
  int count(int line) const { return counts_[line]; }
  void add(int line, const Entry& entry) {
    if (counts_[line] == room_[line]) move(line);
    entries_[begin_[line] + counts_[line]++] = entry;
  }
  void erase(int line, int other) {
    Entry* at = &entries_[begin_[line]];
    const Entry last = at[--counts_[line]];
    while (at->line != other) ++at;
    *at = last;
  }
  void sort_in(int line) { buckets_.add(line, count(line)); }
  void take_out(int line) { buckets_.remove(line, count(line)); }
  const Buckets& buckets() const { return buckets_; }

 private:
  void move(int line) {
    const int end = static_cast<int>(entries_.size());
    room_[line] = 2 * counts_[line];
    entries_.resize(end + room_[line]);
    std::copy_n(&entries_[begin_[line]], counts_[line], &entries_[end]);
    begin_[line] = end;
  }

  std::vector<Entry> entries_;
  std::vector<int> begin_, counts_, room_;
  Buckets buckets_;
};

class Search {
 public:
  explicit Search(int n) : n_(n), rows_(n), columns_(n), negligible_(n), largest_(n), counts_(n) {
    pivot_row_.reserve(n), pivot_column_.reserve(n);
  }

  void run(const Pattern& pattern, std::span<const double> values, EliminationOrder& order) {
    begin(pattern, values);
    order.pivots.clear(), order.rows.clear(), order.columns.clear();
    for (int k = 0; k < n_ && find_pivot(); ++k) {
      take_out_pivot();
      record(order);
      eliminate();
    }
  }
  void keep_room() {
    rows_.keep_room(), columns_.keep_room();
    values_.reserve(2 * values_.size());
  }

 private:
  using Entry = Lines::Entry;

  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i) * n_ + j; }
  void begin(const Pattern& p, std::span<const double> values) {
    std::ranges::fill(counts_, 0);
    for (const int i : p.row) ++counts_[i];
    rows_.clear(counts_);
    for (int j = 0; j < n_; ++j) counts_[j] = p.start[j + 1] - p.start[j];
    columns_.clear(counts_);
    if (values_.empty()) values_.reserve(2 * values.size());
    values_.assign(1, 0.0), place_.assign(at(n_, 0), none);
    for (int j = 0; j < n_; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) add_entry(p.row[k], j, values[k]);
    }
    std::ranges::fill(largest_, unknown);
    for (int i = 0; i < n_; ++i) rows_.sort_in(i), columns_.sort_in(i);
    for (int j = 0; j < n_; ++j) negligible_[j] = nothing_left * largest_in_column(j);
  }
  void add_entry(int i, int j, double value) {
    const int place = static_cast<int>(values_.size());
    values_.push_back(value), place_[at(i, j)] = place;
    rows_.add(i, {j, place}), columns_.add(j, {i, place});
  }

  double largest_in_column(int j) {
    if (largest_[j] != unknown) return largest_[j];
    double largest = 0;
    for (const Entry& e : columns_.of(j)) largest = std::max(largest, std::abs(values_[e.value]));
    return largest_[j] = largest;
  }
  // Of two pivots with the same count the one that is larger in its column is better.
  void consider(int i, int j, int value, double largest) {
    const double size = std::abs(values_[value]);
    if (!(size >= threshold * largest) || !(size > negligible_[j])) return;
    const long count = long(rows_.count(i) - 1) * (columns_.count(j) - 1);
    if (count > least_ || (count == least_ && size <= share_ * largest)) return;
    least_ = count, share_ = size / largest, row_ = i, column_ = j;
  }
  // Short lines first: no pivot in a longer one can have a smaller count than the product of both lengths.
  bool find_pivot() {
    least_ = std::numeric_limits<long>::max(), share_ = 0;
    int lines = 0;
    for (int count = 1; count <= n_; ++count) {
      for (int j = columns_.buckets().first(count); j >= 0; j = columns_.buckets().next(j)) {
        const double largest = largest_in_column(j);
        for (const Entry& e : columns_.of(j)) consider(e.line, j, e.value, largest);
        if (is_found() && ++lines >= enough_lines) return true;
      }
      if (is_found() && least_ <= long(count - 1) * (count - 1)) return true;
      for (int i = rows_.buckets().first(count); i >= 0; i = rows_.buckets().next(i)) {
        for (const Entry& e : rows_.of(i)) {
          if (long(count - 1) * (columns_.count(e.line) - 1) <= least_)
            consider(i, e.line, e.value, largest_in_column(e.line));
        }
        if (is_found() && ++lines >= enough_lines) return true;
      }
      if (is_found() && least_ <= long(count) * (count - 1)) return true;
    }
    return is_found();
  }
  bool is_found() const { return share_ > 0; }

  // The others of its row and of its column.
  void take_out_pivot() {
    pivot_row_.clear(), pivot_column_.clear();
    for (const Entry& e : rows_.of(row_)) {
      columns_.take_out(e.line), columns_.erase(e.line, row_), largest_[e.line] = unknown;
      if (e.line == column_)
        pivot_ = values_[e.value];
      else
        pivot_row_.push_back(e);
    }
    rows_.take_out(row_);
    const auto rest = columns_.of(column_);
    pivot_column_.assign(rest.begin(), rest.end());
  }

  void record(EliminationOrder& order) const {
    EliminationOrder::Pivot p{
        row_, column_, static_cast<int>(order.rows.size()), 0, static_cast<int>(order.columns.size()), 0};
    for (const Entry& e : pivot_column_) order.rows.push_back(e.line);
    for (const Entry& e : pivot_row_) order.columns.push_back(e.line);
    p.rows_end = static_cast<int>(order.rows.size()), p.columns_end = static_cast<int>(order.columns.size());
    order.pivots.push_back(p);
  }

  void eliminate() {
    for (const Entry& e : pivot_column_) {
      rows_.take_out(e.line), rows_.erase(e.line, column_);
      subtract_from(e.line, values_[e.value] / pivot_);
      rows_.sort_in(e.line);
    }
    for (const Entry& e : pivot_row_) columns_.sort_in(e.line);
  }
  void subtract_from(int i, double multiplier) {
    const int* const place = &place_[at(i, 0)];
    for (const Entry& e : pivot_row_) {
      if (place[e.line] == none) add_entry(i, e.line, 0.0);
      values_[place[e.line]] -= multiplier * values_[e.value];
    }
  }

  int n_;
  static constexpr int none = 0;
  std::vector<double> values_;  // of all entries, from the second on
  std::vector<int> place_;      // of each there, n x n, or `none`
  Lines rows_, columns_;
  std::vector<double> negligible_;
  static constexpr double unknown = -1;
  std::vector<double> largest_;  // in each column, where it is known
  std::vector<int> counts_;
  std::vector<Entry> pivot_row_, pivot_column_;  // without the pivot
  int row_ = 0, column_ = 0;                     // of the pivot
  double pivot_ = 0;
  long least_ = 0;
  double share_ = 0;
};

// The same pivots in a sequence in which those follow each other that have to do with each other: each one right behind those that must come before it,
// the latest of these last. What is done and what fills in stay as they are, but entries become neighbours.
class Grouping {
 public:
  explicit Grouping(int n) : n_(n), turn_of_row_(n), turn_of_column_(n), begin_(n + 1), end_(n), is_listed_(n) {
    grouped_.reserve(n), waiting_.reserve(n);
  }

  void run(EliminationOrder& order) {
    for (int k = 0; k < n_; ++k) turn_of_row_[order.pivots[k].row] = turn_of_column_[order.pivots[k].column] = k;
    find_what_comes_before(order);
    grouped_.clear(), waiting_.clear();
    std::ranges::fill(is_listed_, 0);
    for (int last = n_; last-- > 0;) {
      if (!is_listed_[last]) waiting_.push_back(last);
      while (!waiting_.empty()) take_or_wait(waiting_.back(), order);
    }
    order.pivots.swap(grouped_);
  }
  void keep_room() { before_.reserve(2 * before_.size()); }

 private:
  // Pivot k changes rows and columns that are those of later ones.
  template <class Act>
  void for_each_later(const EliminationOrder& order, int k, Act&& act) const {
    const auto& p = order.pivots[k];
    for (int r = p.rows_begin; r < p.rows_end; ++r) act(turn_of_row_[order.rows[r]]);
    for (int c = p.columns_begin; c < p.columns_end; ++c) act(turn_of_column_[order.columns[c]]);
  }
  // before_[begin_[k] ... end_[k]], the latest last.
  void find_what_comes_before(const EliminationOrder& order) {
    std::ranges::fill(begin_, 0);
    for (int k = 0; k < n_; ++k) for_each_later(order, k, [&](int later) { ++begin_[later + 1]; });
    for (int k = 0; k < n_; ++k) end_[k] = begin_[k], begin_[k + 1] += begin_[k];
    before_.resize(begin_[n_]);
    for (int k = 0; k < n_; ++k) for_each_later(order, k, [&](int later) { before_[end_[later]++] = k; });
  }
  void take_or_wait(int pivot, const EliminationOrder& order) {
    while (end_[pivot] > begin_[pivot] && is_listed_[before_[end_[pivot] - 1]]) --end_[pivot];
    if (end_[pivot] > begin_[pivot]) return waiting_.push_back(before_[end_[pivot] - 1]);
    waiting_.pop_back();
    grouped_.push_back(order.pivots[pivot]), is_listed_[pivot] = 1;
  }

  int n_;
  std::vector<int> turn_of_row_, turn_of_column_, begin_, end_, before_, waiting_;
  std::vector<char> is_listed_;
  std::vector<EliminationOrder::Pivot> grouped_;
};

}  // namespace

struct MarkowitzSearch::Memory {
  explicit Memory(int n) : search(n), grouping(n) { order.pivots.reserve(n); }
  Search search;
  Grouping grouping;
  EliminationOrder order;
  bool has_room = false;
};

MarkowitzSearch::MarkowitzSearch(int n) : memory_(std::make_unique<Memory>(n)) {}
MarkowitzSearch::~MarkowitzSearch() = default;

const EliminationOrder& MarkowitzSearch::run(const Pattern& pattern, std::span<const double> values) {
  Memory& m = *memory_;
  m.search.run(pattern, values, m.order);
  if (static_cast<int>(m.order.pivots.size()) < pattern.cols) return m.order;
  m.grouping.run(m.order);
  if (!m.has_room) {
    m.order.rows.reserve(2 * m.order.rows.size()), m.order.columns.reserve(2 * m.order.columns.size());
    m.search.keep_room(), m.grouping.keep_room(), m.has_room = true;
  }
  return m.order;
}

}  // namespace skyhook
