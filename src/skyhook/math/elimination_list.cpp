#include "skyhook/math/elimination_list.h"

#include <algorithm>
#include <cassert>

namespace skyhook {

void EliminationList::make(const Pattern& pattern, const EliminationOrder& order) {
  assert(static_cast<int>(order.pivots.size()) == pattern.cols);
  const bool is_first = steps.empty();
  clear();
  row_turn_.resize(pattern.rows), column_turn_.resize(pattern.cols);
  for (const auto& p : order.pivots) {
    row_turn_[p.row] = column_turn_[p.column] = static_cast<int>(row.size());
    row.push_back(p.row), column.push_back(p.column);
  }
  if (is_first) make_room(order);
  list_entries(order);
  place_rows();
  list_steps(order);
  list_columns_of_u();
  list_pattern(pattern);
  find_fill_in();
  if (is_first) keep_room();
}

void EliminationList::clear() {
  for (auto* v : {&targets, &lower_begin_, &lower_row_, &fill_in, &row_begin, &row, &column, &runs_begin_}) v->clear();
  steps.clear(), segments.clear(), from.clear(), upper.clear(), runs_.clear();
  values = 0, operations_ = 0;
}

// Memory that is not touched costs nothing, but vectors that grow touch it several times.
void EliminationList::make_room(const EliminationOrder& order) {
  const std::size_t entries = order.pivots.size() + order.rows.size() + order.columns.size();
  for (auto* v : {&lower_row_, &upper_row_, &fill_in, &entries_}) v->reserve(2 * entries);
  for (auto* v : {&from, &upper}) v->reserve(2 * entries);
  segments.reserve(entries), runs_.reserve(entries), targets.reserve(4 * entries);
}

// For other pivots, which fill otherwise.
void EliminationList::keep_room() {
  const auto twice = [](auto& v) { v.reserve(2 * v.size()); };
  for (auto* v : {&targets, &lower_row_, &upper_row_, &fill_in, &entries_}) twice(*v);
  for (auto* v : {&from, &upper}) twice(*v);
  lower_panels.keep_room(), upper_panels.keep_room();
  twice(segments), twice(runs_), twice(is_filled_);
}

// Entries of L of a row are where earlier pivots have it among their rows: met in rising order. Those of U follow when it is the pivot's.
void EliminationList::list_entries(const EliminationOrder& order) {
  const int n = static_cast<int>(order.pivots.size());
  entries_begin_.assign(n + 1, 0), entries_next_.resize(n);
  for (int k = 0; k < n; ++k) {
    const auto& p = order.pivots[k];
    entries_begin_[k + 1] += 1 + p.columns_end - p.columns_begin;
    for (int r = p.rows_begin; r < p.rows_end; ++r) ++entries_begin_[row_turn_[order.rows[r]] + 1];
  }
  for (int i = 0; i < n; ++i) entries_next_[i] = entries_begin_[i], entries_begin_[i + 1] += entries_begin_[i];
  entries_.resize(entries_begin_[n]);
  for (int k = 0; k < n; ++k) {
    const auto& p = order.pivots[k];
    entries_[entries_next_[k]++] = k;
    const int behind = entries_next_[k];
    for (int c = p.columns_begin; c < p.columns_end; ++c) entries_[entries_next_[k]++] = column_turn_[order.columns[c]];
    std::sort(entries_.begin() + behind, entries_.begin() + entries_next_[k]);
    for (int r = p.rows_begin; r < p.rows_end; ++r) entries_[entries_next_[row_turn_[order.rows[r]]]++] = k;
  }
}

void EliminationList::place_rows() {
  for (std::size_t i = 0; i + 1 < entries_begin_.size(); ++i) {
    row_begin.push_back(values);
    runs_begin_.push_back(static_cast<int>(runs_.size()));
    for (int e = entries_begin_[i]; e < entries_begin_[i + 1]; ++e) {
      const bool goes_on = e > entries_begin_[i] && entries_[e] == entries_[e - 1] + 1;
      if (!goes_on) runs_.push_back({entries_[e], 0, 0});
      ++runs_.back().count;
    }
    for (Run& run : std::span(runs_).subspan(runs_begin_[i])) {
      run.at = values, values += run.count + lanes - 1;
    }
    values = (values + lanes - 1) / lanes * lanes;  // whole rows too can be read four at a time
  }
  row_begin.push_back(values);
  runs_begin_.push_back(static_cast<int>(runs_.size()));
  values += lanes * longest;
}

void EliminationList::list_steps(const EliminationOrder& order) {
  next_run_.assign(runs_begin_.begin(), runs_begin_.end());
  for (int k = 0; k < static_cast<int>(order.pivots.size()); ++k) {
    const auto& p = order.pivots[k];
    Step step{.pivot = find(k, k)};
    const int begin_of_rows = static_cast<int>(lower_row_.size());
    lower_begin_.push_back(begin_of_rows);
    step.multipliers.begin = begin_of_rows;
    step.segments.begin = static_cast<int>(segments.size());
    for (int r = p.rows_begin; r < p.rows_end; ++r) lower_row_.push_back(row_turn_[order.rows[r]]);
    const std::span<int> rows = std::span(lower_row_).subspan(begin_of_rows);
    std::ranges::sort(rows);
    for (int i : rows) from.push_back({find(i, k), 0});
    operations_ += static_cast<long>(rows.size());
    for (const Run& run : runs_of(k)) {
      for (int begin = std::max(run.column, k + 1); run.reaches(begin); begin += lanes * longest) {
        const int count = std::min(run.column + run.count - begin, lanes * longest);
        const auto first_target =
            targets.size() + (segments.size() - static_cast<std::size_t>(step.segments.begin)) * rows.size();
        segments.push_back({run.place(begin), (count + lanes - 1) / lanes, begin, static_cast<int>(first_target)});
        operations_ += count * static_cast<long>(rows.size());
      }
    }
    step.multipliers.end = static_cast<int>(from.size());
    step.segments.end = static_cast<int>(segments.size());
    list_targets(rows, std::span(segments).subspan(static_cast<std::size_t>(step.segments.begin)));
    steps.push_back(step);
  }
  lower_begin_.push_back(static_cast<int>(lower_row_.size()));
  lower_panels.make(TriangularPanels::Turns::rising, lower_begin_, lower_row_);
  for (std::size_t e = 0; e < from.size(); ++e) from[e].to = lower_panels.places()[e];
}

// Of the segments of one pivot, in its rows.
void EliminationList::list_targets(std::span<const int> rows, std::span<const Segment> of_pivot) {
  targets.resize(targets.size() + rows.size() * of_pivot.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Run* run = &runs_[next_run_[rows[r]]];
    for (const Segment& segment : of_pivot) {
      while (!run->reaches(segment.column)) ++run;
      targets[static_cast<std::size_t>(segment.targets) + r] = run->place(segment.column);
    }
  }
}

void EliminationList::list_pattern(const Pattern& pattern) {
  entry.resize(pattern.row.size());
  next_run_.assign(runs_begin_.begin(), runs_begin_.end());
  for (int turn = 0; turn < size(); ++turn) {
    const int j = column[turn];
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) entry[k] = find(row_turn_[pattern.row[k]], turn);
  }
}

void EliminationList::list_columns_of_u() {
  const int n = size();
  const auto for_each = [&](auto&& act) {
    for (int k = 0; k < n; ++k) {
      for (const Run& run : runs_of(k)) {
        for (int j = std::max(run.column, k + 1); j < run.column + run.count; ++j) act(k, j, run.at + j - run.column);
      }
    }
  };
  upper_begin_.assign(n + 1, 0), upper_next_.resize(n);
  for_each([&](int, int j, int) { ++upper_begin_[j + 1]; });
  for (int j = 0; j < n; ++j) upper_next_[j] = upper_begin_[j], upper_begin_[j + 1] += upper_begin_[j];
  upper.resize(upper_begin_[n]), upper_row_.resize(upper_begin_[n]);
  for_each([&](int k, int j, int at) {
    const int e = upper_next_[j]++;
    upper_row_[e] = k, upper[e].from = at;
  });
  upper_panels.make(TriangularPanels::Turns::falling, upper_begin_, upper_row_);
  for (std::size_t e = 0; e < upper.size(); ++e) upper[e].to = upper_panels.places()[e];
}

void EliminationList::find_fill_in() {
  is_filled_.assign(values, 0);
  for (int at : entry) is_filled_[at] = 1;
  for (const Run& run : runs_) {
    for (int at = run.at; at < run.at + run.count; ++at) {
      if (!is_filled_[at]) fill_in.push_back(at);
    }
  }
}

long EliminationList::operations() const { return operations_; }

}  // namespace skyhook
