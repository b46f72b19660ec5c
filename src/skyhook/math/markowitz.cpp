#include "skyhook/math/markowitz.h"

#include <algorithm>
#include <complex>
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

// The entries of each line that are still to be eliminated, in any order.
class Lines {
 public:
  explicit Lines(int n) : entries_(n), buckets_(n) {
    for (auto& line : entries_) line.reserve(usual);
  }
  std::span<const int> of(int line) const { return entries_[line]; }
  int count(int line) const { return static_cast<int>(entries_[line].size()); }
  void add(int line, int entry) { entries_[line].push_back(entry); }
  void erase(int line, int entry) {
    auto& entries = entries_[line];
    *std::ranges::find(entries, entry) = entries.back();
    entries.pop_back();
  }
  void sort_in(int line) { buckets_.add(line, count(line)); }
  void take_out(int line) { buckets_.remove(line, count(line)); }
  const Buckets& buckets() const { return buckets_; }

 private:
  static constexpr std::size_t usual = 16;
  std::vector<std::vector<int>> entries_;
  Buckets buckets_;
};

template <class Scalar>
class Search {
 public:
  Search(const Pattern& p, std::span<const Scalar> values)
      : n_(p.cols),
        a_(std::make_unique_for_overwrite<Scalar[]>(static_cast<std::size_t>(n_) * n_)),
        is_in_row_(n_),
        rows_(n_),
        columns_(n_) {
    for (int j = 0; j < n_; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) add_entry(p.row[k], j, values[k]);
    }
    for (int i = 0; i < n_; ++i) rows_.sort_in(i), columns_.sort_in(i);
    for (int j = 0; j < n_; ++j) negligible_.push_back(nothing_left * largest_in_column(j));
  }

  EliminationOrder run() {
    EliminationOrder order;
    for (int k = 0; k < n_ && find_pivot(); ++k) {
      record(order);
      eliminate();
    }
    return order;
  }

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i) * n_ + j; }
  void add_entry(int i, int j, Scalar value) { a_[at(i, j)] = value, rows_.add(i, j), columns_.add(j, i); }

  double largest_in_column(int j) const {
    double largest = 0;
    for (int i : columns_.of(j)) largest = std::max(largest, std::abs(a_[at(i, j)]));
    return largest;
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
    for (int j : rows_.of(row_)) columns_.take_out(j), columns_.erase(j, row_);
    rows_.take_out(row_);
    for (int i : columns_.of(column_)) {
      rows_.take_out(i), rows_.erase(i, column_);
      const Scalar multiplier = a_[at(i, column_)] / a_[at(row_, column_)];
      for (int j : rows_.of(i)) is_in_row_[j] = 1;
      for (int j : rows_.of(row_)) {
        if (j == column_) continue;
        if (!is_in_row_[j]) add_entry(i, j, 0.0);
        a_[at(i, j)] -= multiplier * a_[at(row_, j)];
      }
      for (int j : rows_.of(i)) is_in_row_[j] = 0;
      rows_.sort_in(i);
    }
    for (int j : rows_.of(row_)) {
      if (j != column_) columns_.sort_in(j);
    }
  }

  int n_;
  std::unique_ptr<Scalar[]> a_;  // defined where there is an entry; memory that is not touched costs nothing
  std::vector<char> is_in_row_;  // of the row that is changed
  Lines rows_, columns_;
  std::vector<double> negligible_;
  int row_ = 0, column_ = 0;  // of the pivot
  long least_ = 0;
  double share_ = 0;
};

// The same pivots in a sequence in which those follow each other that have to do with each other: each one right behind those that must come before it,
// the latest of these last. What is done and what fills in stay as they are, but entries become neighbours.
void group(EliminationOrder& order) {
  const std::size_t n = order.pivots.size();
  std::vector<int> turn_of_row(n), turn_of_column(n);
  for (std::size_t k = 0; k < n; ++k)
    turn_of_row[order.pivots[k].row] = turn_of_column[order.pivots[k].column] = static_cast<int>(k);
  std::vector<std::vector<int>> before(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto& p = order.pivots[k];
    for (int r = p.rows_begin; r < p.rows_end; ++r) before[turn_of_row[order.rows[r]]].push_back(static_cast<int>(k));
    for (int c = p.columns_begin; c < p.columns_end; ++c)
      before[turn_of_column[order.columns[c]]].push_back(static_cast<int>(k));
  }
  std::vector<EliminationOrder::Pivot> grouped;
  std::vector<char> is_listed(n);
  std::vector<int> waiting;
  for (std::size_t last = n; last-- > 0;) {
    if (!is_listed[last]) waiting.push_back(static_cast<int>(last));
    while (!waiting.empty()) {
      const int pivot = waiting.back();
      auto& needed = before[pivot];
      while (!needed.empty() && is_listed[needed.back()]) needed.pop_back();
      if (!needed.empty()) {
        waiting.push_back(needed.back());
        continue;
      }
      waiting.pop_back();
      grouped.push_back(order.pivots[pivot]), is_listed[pivot] = 1;
    }
  }
  order.pivots = std::move(grouped);
}

}  // namespace

template <class Scalar>
EliminationOrder markowitz_order(const Pattern& pattern, std::span<const Scalar> values) {
  EliminationOrder order = Search<Scalar>(pattern, values).run();
  if (static_cast<int>(order.pivots.size()) == pattern.cols) group(order);
  return order;
}

template EliminationOrder markowitz_order(const Pattern&, std::span<const double>);
template EliminationOrder markowitz_order(const Pattern&, std::span<const std::complex<double>>);

}  // namespace skyhook
