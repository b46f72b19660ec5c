// The elimination of a sparse matrix in a fixed order, as a flat list of operations on one array of values: nothing is searched for when it runs.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "skyhook/math/csc.h"
#include "skyhook/math/markowitz.h"
#include "skyhook/math/triangular_panels.h"

namespace skyhook {

// Rows stand one after another in the order of the pivots, each with its entries of L, its pivot and its entries of U, the
// columns in the order of the pivots too. Entries of neighbouring columns are neighbours, and behind each such run there is
// room for three zeros: operations on a run can be made four at a time and may reach over its end.
//
// For the triangular solves the entries of L and U stand again, by columns (triangular_panels.h).
struct EliminationList {
  static constexpr int lanes = 4, longest = 6;  // in one operation: numbers, registers

  // Part of a pivot's row behind the pivot, at most `longest` registers of neighbours.
  struct Segment {
    int source, registers;
    int column;   // of its first entry
    int targets;  // into `targets`: where it is subtracted from, for each row of the pivot
  };
  struct Range {
    int begin, end;
  };
  struct Step {
    int pivot;          // where it stands
    Range multipliers;  // and with these `from`
    Range segments;
  };
  // An entry that is copied by the factorisation: where from and where to.
  struct Copy {
    int from, to;
  };

  // Anew, in the memory of the list before; the first one leaves room for twice as much.
  void make(const Pattern& pattern, const EliminationOrder& order);

  int size() const { return static_cast<int>(steps.size()); }
  long operations() const;  // multiplications of one factorisation, without those by zeros at the end of runs

  std::vector<Step> steps;
  std::vector<Segment> segments;
  std::vector<int> targets;
  std::vector<Copy> from;   // of each multiplier: the entry that it is made of, and where L has it
  std::vector<Copy> upper;  // entries of U
  TriangularPanels lower_panels, upper_panels;
  std::vector<int> entry;        // where each entry of the pattern goes
  std::vector<int> fill_in;      // where entries arise that the pattern has not
  std::vector<int> row_begin;    // of the values; one more than there are rows
  std::vector<int> row, column;  // of each pivot, in the matrix
  int values = 0;                // length of the array

 private:
  struct Run {
    int column, count, at;
    bool reaches(int j) const { return column + count > j; }
    int place(int j) const { return at + j - column; }
  };
  std::span<const Run> runs_of(int i) const { return {&runs_[runs_begin_[i]], &runs_[runs_begin_[i + 1] - 1] + 1}; }
  void clear();
  void make_room(const EliminationOrder& order);
  void keep_room();
  void list_entries(const EliminationOrder& order);
  void place_rows();
  void list_steps(const EliminationOrder& order);
  void list_targets(std::span<const int> rows, std::span<const Segment> of_pivot);
  void list_columns_of_u();
  void list_pattern(const Pattern& pattern);
  void find_fill_in();
  // Where row i has column j. Of each row columns are asked for from left to right.
  int find(int i, int j) {
    int& run = next_run_[i];
    while (!runs_[run].reaches(j)) ++run;
    return runs_[run].place(j);
  }

  long operations_ = 0;
  // Only while the list is made.
  std::vector<int> row_turn_, column_turn_;        // when a row or column is the pivot's
  std::vector<int> entries_begin_, entries_next_;  // of each row,
  std::vector<int> entries_;                       // and there the columns of its entries, rising
  std::vector<Run> runs_;
  std::vector<int> runs_begin_, next_run_;  // of each row
  std::vector<int> upper_begin_, upper_next_;
  std::vector<int> lower_begin_, lower_row_, upper_row_;  // rows of the entries of each column
  std::vector<char> is_filled_;
};

}  // namespace skyhook
