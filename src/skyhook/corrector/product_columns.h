// Columns of the iteration matrix that are products of its other entries: ProductColumns on a pattern.
#pragma once
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook {

class ProductEntries {
 public:
  ProductEntries(const ProductColumns& products, const Pattern& pattern);
  // Writes the columns of the products from the other entries of J, which lives on the pattern.
  void fill(Csc& J) const;

 private:
  struct Term {
    int target, row_entry, column_entry;  // J(i, column) -= J(row, j) J(i, j)
  };
  struct Range {
    int begin, end;
  };
  std::vector<Range> columns_;
  std::vector<Term> terms_;
};

// The entries that the products of the pattern's other entries have, for a pattern that was found without them.
void add_products(const ProductColumns& products, const Pattern& pattern, PatternBuilder& builder);

// For each unknown: does its column follow from others?
std::vector<char> is_product(const Structure& structure);

}  // namespace skyhook
