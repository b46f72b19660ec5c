// LU of a matrix that falls into many small parts without entries between them: mechanisms that do not touch each other. Each part is
// a dense matrix with pivots of its own, chosen anew each time; that costs less than the lists and searches of a sparse elimination.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

class BlocksLu {
 public:
  // Unknowns of the largest part that pays, and the fewest parts.
  static constexpr int largest_part = 16, fewest_parts = 4;
  static bool suits(const Pattern& pattern);

  explicit BlocksLu(std::shared_ptr<const Pattern> pattern);  // that suits

  // As FixedLu has them. Nothing allocates.
  bool factor(std::span<const double> values, std::span<const double> column_scale = {});
  int singular_column() const { return singular_column_; }
  void solve(std::span<double> b);
  double rcond() const { return singular_column_ < 0 ? smallest_ / largest_ : 0.0; }
  long pivotings() const { return pivotings_; }

 private:
  struct Part {
    int first, size;  // among unknowns_
    int values;       // where its matrix begins, column by column
  };
  bool fill(std::span<const double> values, std::span<const double> column_scale);
  void scale_rows(const Part& part);
  bool eliminate(const Part& part);

  std::shared_ptr<const Pattern> pattern_;
  std::vector<Part> parts_;
  std::vector<int> unknowns_;  // of the matrix, part by part
  std::vector<int> place_;     // of each entry of the pattern in values_
  std::vector<double> values_;
  std::vector<double> row_scale_, inverse_;  // 1 / largest entry; of the pivots
  std::vector<double> column_scale_;         // as it was given; empty: none
  std::vector<int> pivot_row_;               // with which row each has changed places
  double smallest_ = 1, largest_ = 1;        // pivot
  int singular_column_ = -1;
  long pivotings_ = 0;
};

}  // namespace skyhook
