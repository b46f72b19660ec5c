// Sparse LU on a fixed pattern for whoever factorises the same matrix again and again: FixedLu for small and medium sizes, KLU for large ones. For a pattern
// that others follow soon, as contacts come and go, BlocksLu where it falls into small parts: nothing is to be found out about it.
#pragma once
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "skyhook/math/blocks_lu.h"
#include "skyhook/math/fixed_lu.h"
#include "skyhook/math/klu.h"

namespace skyhook {

// Above it the first factorisation of FixedLu, which has a table of n x n, costs more than many of KLU's.
constexpr int largest_fixed_lu = 400;

class SparseLu {
 public:
  explicit SparseLu(const std::shared_ptr<const Pattern>& pattern, int largest_fixed = largest_fixed_lu)
      : SparseLu(pattern, pattern->cols <= largest_fixed ? Lu(FixedLu(pattern)) : Lu(Klu(pattern))) {}
  static SparseLu for_a_while(const std::shared_ptr<const Pattern>& pattern) {
    return BlocksLu::suits(*pattern) ? SparseLu(pattern, Lu(BlocksLu(pattern))) : SparseLu(pattern);
  }

  // Columns are multiplied by `column_scale`, unless it is empty, which helps in the choice of pivots. False: singular or not finite in singular_column().
  bool factor(std::span<const double> values, std::span<const double> column_scale = {}) {
    if (auto* blocks = std::get_if<BlocksLu>(&lu_)) return blocks->factor(values, column_scale);
    if (auto* fixed = std::get_if<FixedLu>(&lu_)) return fixed->factor(values, column_scale);
    column_scale_.assign(column_scale.begin(), column_scale.end());
    Klu& klu = std::get<Klu>(lu_);
    if (column_scale.empty()) return klu.factor(values);
    for (int j = 0; j < pattern_->cols; ++j) {
      for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k) scaled_[k] = column_scale[j] * values[k];
    }
    return klu.factor(scaled_);
  }
  int singular_column() const {
    return std::visit([](const auto& lu) { return lu.singular_column(); }, lu_);
  }
  // b becomes A⁻¹ b, A without the scale.
  void solve(std::span<double> b) {
    std::visit([&](auto& lu) { lu.solve(b); }, lu_);
    if (scaled_.empty()) return;
    for (std::size_t j = 0; j < column_scale_.size(); ++j) b[j] *= column_scale_[j];
  }
  // Crude estimate, smallest over largest pivot of scaled rows; 0 when singular.
  double rcond() const {
    return std::visit([](const auto& lu) { return lu.rcond(); }, lu_);
  }
  long pivotings() const {
    return std::visit([](const auto& lu) { return lu.pivotings(); }, lu_);
  }

 private:
  using Lu = std::variant<FixedLu, Klu, BlocksLu>;
  SparseLu(const std::shared_ptr<const Pattern>& pattern, Lu lu) : pattern_(pattern), lu_(std::move(lu)) {
    if (std::holds_alternative<Klu>(lu_)) scaled_.resize(pattern->row.size());
  }
  std::shared_ptr<const Pattern> pattern_;
  std::vector<double> scaled_, column_scale_;  // for KLU, which scales nothing
  Lu lu_;
};

}  // namespace skyhook
