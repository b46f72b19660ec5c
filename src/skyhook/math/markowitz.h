// An order of elimination that causes little fill: Markowitz' count with threshold pivoting (Markowitz, Management Science 3 (1957) 255;
// Duff, Erisman and Reid, Direct Methods for Sparse Matrices (1986), chapters 7 and 9).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

// Pivots one after another, and what stands beside each when its turn comes, fill included.
struct EliminationOrder {
  struct Pivot {
    int row, column;
    int rows_begin, rows_end;        // into `rows`: the others with an entry in its column
    int columns_begin, columns_end;  // into `columns`: the others with an entry in its row
  };
  std::vector<Pivot> pivots;  // fewer than the matrix has rows where it is singular
  std::vector<int> rows, columns;
};

// For square matrices of n rows, a few hundred at most: it has a table of n x n. Each pivot has the least (rows - 1)(columns - 1) among the entries that
// are at least a tenth of the largest in their column, so that no multiplier exceeds ten. Rows should be of like size. Its memory
// is kept for the next search, with room for twice the fill of the first.
class MarkowitzSearch {
 public:
  explicit MarkowitzSearch(int n);
  ~MarkowitzSearch();
  MarkowitzSearch(const MarkowitzSearch&) = delete;
  MarkowitzSearch& operator=(const MarkowitzSearch&) = delete;
  // Stands until the next search.
  const EliminationOrder& run(const Pattern& pattern, std::span<const double> values);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace skyhook
