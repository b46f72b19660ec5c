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

// The entries of each line that are still to be eliminated, in any order. Memory that is not touched costs nothing.
class Lines {
 public:
  explicit Lines(int n)
      : n_(n), entries_(std::make_unique_for_overwrite<int[]>(std::size_t(n) * n)), counts_(n), buckets_(n) {}
  void clear() { std::ranges::fill(counts_, 0), buckets_.clear(); }
  std::span<const int> of(int line) const { return {begin(line), std::size_t(counts_[line])}; }
  int count(int line) const { return counts_[line]; }
  void add(int line, int entry) { begin(line)[counts_[line]++] = entry; }
  void erase(int line, int entry) {
    int* const entries = begin(line);
    const int last = entries[--counts_[line]];
    *std::find(entries, entries + counts_[line], entry) = last;
  }
  void sort_in(int line) { buckets_.add(line, count(line)); }
  void take_out(int line) { buckets_.remove(line, count(line)); }
  const Buckets& buckets() const { return buckets_; }

 private:
  int* begin(int line) const { return entries_.get() + std::size_t(line) * n_; }

  int n_;
  std::unique_ptr<int[]> entries_;
  std::vector<int> counts_;
  Buckets buckets_;
};

class Search {
 public:
  explicit Search(int n)
      : n_(n),
        a_(std::make_unique_for_overwrite<double[]>(std::size_t(n) * n)),
        is_entry_(static_cast<std::size_t>(n) * n),
        rows_(n),
        columns_(n),
        negligible_(n),
        largest_(n) {}

  void run(const Pattern& pattern, std::span<const double> values, EliminationOrder& order) {
    begin(pattern, values);
    order.pivots.clear(), order.rows.clear(), order.columns.clear();
    for (int k = 0; k < n_ && find_pivot(); ++k) {
      record(order);
      eliminate();
    }
  }

 private:
  void begin(const Pattern& p, std::span<const double> values) {
    rows_.clear(), columns_.clear();
    std::ranges::fill(is_entry_, 0);
    for (int j = 0; j < n_; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) add_entry(p.row[k], j, values[k]);
    }
    std::ranges::fill(largest_, unknown);
    for (int i = 0; i < n_; ++i) rows_.sort_in(i), columns_.sort_in(i);
    for (int j = 0; j < n_; ++j) negligible_[j] = nothing_left * largest_in_column(j);
  }
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i) * n_ + j; }
  void add_entry(int i, int j, double value) { a_[at(i, j)] = value, is_entry_[at(i, j)] = 1, rows_.add(i, j), columns_.add(j, i); }

  double largest_in_column(int j) {
    if (largest_[j] != unknown) return largest_[j];
    double largest = 0;
    for (int i : columns_.of(j)) largest = std::max(largest, std::abs(a_[at(i, j)]));
    return largest_[j] = largest;
  }
  // Of two pivots with the same count the one that is larger in its column is better.
  void consider(int i, int j, double largest) {
    const double size = std::abs(a_[at(i, j)]);
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
        for (int i : columns_.of(j)) consider(i, j, largest);
        if (is_found() && ++lines >= enough_lines) return true;
      }
      if (is_found() && least_ <= long(count - 1) * (count - 1)) return true;
      for (int i = rows_.buckets().first(count); i >= 0; i = rows_.buckets().next(i)) {
        for (int j : rows_.of(i)) {
          if (long(count - 1) * (columns_.count(j) - 1) <= least_) consider(i, j, largest_in_column(j));
        }
        if (is_found() && ++lines >= enough_lines) return true;
      }
      if (is_found() && least_ <= long(count) * (count - 1)) return true;
    }
    return is_found();
  }
  bool is_found() const { return share_ > 0; }

  void record(EliminationOrder& order) const {
    const auto append = [](std::vector<int>& to, std::span<const int> lines, int without) {
      for (int line : lines) {
        if (line != without) to.push_back(line);
      }
      return static_cast<int>(to.size());
    };
    EliminationOrder::Pivot p{
        row_, column_, static_cast<int>(order.rows.size()), 0, static_cast<int>(order.columns.size()), 0};
    p.rows_end = append(order.rows, columns_.of(column_), row_);
    p.columns_end = append(order.columns, rows_.of(row_), column_);
    order.pivots.push_back(p);
  }

  void eliminate() {
    for (int j : rows_.of(row_)) columns_.take_out(j), columns_.erase(j, row_), largest_[j] = unknown;
    rows_.take_out(row_);
    for (int i : columns_.of(column_)) {
      rows_.take_out(i), rows_.erase(i, column_);
      const double multiplier = a_[at(i, column_)] / a_[at(row_, column_)];
      for (int j : rows_.of(row_)) {
        if (j == column_) continue;
        if (!is_entry_[at(i, j)]) add_entry(i, j, 0.0);
        a_[at(i, j)] -= multiplier * a_[at(row_, j)];
      }
      rows_.sort_in(i);
    }
    for (int j : rows_.of(row_)) {
      if (j != column_) columns_.sort_in(j);
    }
  }

  int n_;
  std::unique_ptr<double[]> a_;  // defined where there is an entry; memory that is not touched costs nothing
  std::vector<char> is_entry_;
  Lines rows_, columns_;
  std::vector<double> negligible_;
  static constexpr double unknown = -1;
  std::vector<double> largest_;  // in each column, where it is known
  int row_ = 0, column_ = 0;  // of the pivot
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
    m.grouping.keep_room(), m.has_room = true;
  }
  return m.order;
}

}  // namespace skyhook
