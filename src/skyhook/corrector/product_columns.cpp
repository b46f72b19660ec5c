#include "skyhook/corrector/product_columns.h"

#include <algorithm>

namespace skyhook {
namespace {

// Calls use(product, i, entry (row, j), entry (i, j)) for each term of the sums.
template <class Use>
void for_each_term(const ProductColumns& products, const Pattern& p, Use&& use) {
  for (const auto& product : products.list) {
    for (int j = products.first; j < products.last; ++j) {
      const int in_row = p.find(product.row, j);
      if (in_row < 0) continue;
      for (int k = p.start[j]; k < p.start[j + 1] && p.row[k] < products.equations; ++k)
        use(product, p.row[k], in_row, k);
    }
  }
}

}  // namespace

ProductEntries::ProductEntries(const ProductColumns& products, const Pattern& p) {
  for (const auto& product : products.list) columns_.push_back({p.start[product.column], p.start[product.column + 1]});
  for_each_term(products, p, [&](const auto& product, int i, int in_row, int in_column) {
    if (const int target = p.find(i, product.column); target >= 0) terms_.push_back({target, in_row, in_column});
  });
}

void ProductEntries::fill(Csc& J) const {
  double* const value = J.value.data();
  for (const Range& c : columns_) std::fill(value + c.begin, value + c.end, 0.0);
  for (const Term& t : terms_) value[t.target] -= value[t.row_entry] * value[t.column_entry];
}

void add_products(const ProductColumns& products, const Pattern& pattern, PatternBuilder& builder) {
  for_each_term(products, pattern, [&](const auto& product, int i, int, int) { builder.add(i, product.column); });
}

std::vector<char> is_product(const Structure& structure) {
  std::vector<char> is(structure.y.size(), 0);
  for (const auto& product : structure.products.list) is[product.column] = 1;
  return is;
}

}  // namespace skyhook
