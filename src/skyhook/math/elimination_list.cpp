#include "skyhook/math/elimination_list.h"

#include <algorithm>
#include <cassert>

namespace skyhook {

EliminationList::EliminationList(const Pattern& pattern, const EliminationOrder& order)
    : row_turn_(pattern.rows), column_turn_(pattern.cols), runs_(pattern.rows) {
  assert(static_cast<int>(order.pivots.size()) == pattern.cols);
  for (const auto& p : order.pivots) {
    row_turn_[p.row] = column_turn_[p.column] = static_cast<int>(row.size());
    row.push_back(p.row), column.push_back(p.column);
  }
  place_rows(order);
  list_steps(order);
  for (int j = 0; j < pattern.cols; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      entry.push_back(find(row_turn_[pattern.row[k]], column_turn_[j]));
  }
  find_fill_in();
  row_turn_ = {}, column_turn_ = {}, runs_ = {};
}

// Entries of L of a row are where earlier pivots have it among their rows: met in rising order.
void EliminationList::place_rows(const EliminationOrder& order) {
  const int n = static_cast<int>(order.pivots.size());
  const auto append = [&](int i, int j) {
    auto& runs = runs_[i];
    if (!runs.empty() && runs.back().column + runs.back().count == j)
      ++runs.back().count;
    else
      runs.push_back({j, 1, 0});
  };
  std::vector<int> turns;
  for (int k = 0; k < n; ++k) {
    const auto& p = order.pivots[k];
    append(k, k);
    turns.clear();
    for (int c = p.columns_begin; c < p.columns_end; ++c) turns.push_back(column_turn_[order.columns[c]]);
    std::ranges::sort(turns);
    for (int j : turns) append(k, j);
    for (int r = p.rows_begin; r < p.rows_end; ++r) append(row_turn_[order.rows[r]], k);
  }
  for (auto& runs : runs_) {
    row_begin.push_back(values);
    for (Run& run : runs) run.at = values, values += run.count + lanes - 1;
    values = (values + lanes - 1) / lanes * lanes;  // whole rows too can be read four at a time
  }
  row_begin.push_back(values);
  values += lanes * longest;
}

int EliminationList::find(int i, int j) const {
  const auto& runs = runs_[i];
  const auto after = std::ranges::upper_bound(runs, j, {}, &Run::column);
  assert(after != runs.begin() && j < std::prev(after)->column + std::prev(after)->count);
  return std::prev(after)->at + j - std::prev(after)->column;
}

namespace {

// The place of an entry in the fours of a column that is built row by row, the rows rising.
int place_in_fours(std::vector<int>& fours, int begin, int row) {
  constexpr int lanes = EliminationList::lanes;
  if (static_cast<int>(fours.size()) == begin || fours.back() != row / lanes * lanes)
    fours.push_back(row / lanes * lanes);
  return (static_cast<int>(fours.size()) - 1) * lanes + row % lanes;
}

}  // namespace

void EliminationList::list_steps(const EliminationOrder& order) {
  std::vector<int> rows;
  for (int k = 0; k < static_cast<int>(order.pivots.size()); ++k) {
    const auto& p = order.pivots[k];
    Step step{.pivot = find(k, k)};
    const int fours_begin = static_cast<int>(lower_rows.size());
    step.multipliers.begin = static_cast<int>(from.size());
    step.segments.begin = static_cast<int>(segments.size());
    rows.clear();
    for (int r = p.rows_begin; r < p.rows_end; ++r) rows.push_back(row_turn_[order.rows[r]]);
    std::ranges::sort(rows);
    for (int i : rows) from.push_back({find(i, k), place_in_fours(lower_rows, fours_begin, i)});
    operations_ += static_cast<long>(rows.size());
    for (const Run& run : runs_[k]) {
      for (int begin = std::max(run.column, k + 1); begin < run.column + run.count; begin += lanes * longest) {
        const int count = std::min(run.column + run.count - begin, lanes * longest);
        segments.push_back(
            {run.at + begin - run.column, (count + lanes - 1) / lanes, begin, static_cast<int>(targets.size())});
        for (int i : rows) targets.push_back(find(i, begin));
        operations_ += count * static_cast<long>(rows.size());
      }
    }
    step.multipliers.end = static_cast<int>(from.size());
    lower_count.push_back(static_cast<int>(lower_rows.size()) - fours_begin);
    step.segments.end = static_cast<int>(segments.size());
    steps.push_back(step);
  }
  list_columns_of_u(order);
}

void EliminationList::list_columns_of_u(const EliminationOrder& order) {
  std::vector<std::vector<Copy>> columns(order.pivots.size());  // rows and where they stand
  for (int k = 0; k < static_cast<int>(order.pivots.size()); ++k) {
    for (const Run& run : runs_[k]) {
      for (int j = std::max(run.column, k + 1); j < run.column + run.count; ++j)
        columns[j].push_back({k, run.at + j - run.column});
    }
  }
  upper_count.resize(columns.size());
  for (std::size_t j = columns.size(); j-- > 0;) {
    const int fours_begin = static_cast<int>(upper_rows.size());
    for (const auto& [k, at] : columns[j]) upper.push_back({at, place_in_fours(upper_rows, fours_begin, k)});
    upper_count[j] = static_cast<int>(upper_rows.size()) - fours_begin;
  }
}

void EliminationList::find_fill_in() {
  std::vector<char> is_filled(values, 0);
  for (int at : entry) is_filled[at] = 1;
  for (const auto& runs : runs_) {
    for (const Run& run : runs) {
      for (int at = run.at; at < run.at + run.count; ++at) {
        if (!is_filled[at]) fill_in.push_back(at);
      }
    }
  }
}

long EliminationList::operations() const { return operations_; }

}  // namespace skyhook
