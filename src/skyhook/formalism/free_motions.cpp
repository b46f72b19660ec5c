#include "skyhook/formalism/free_motions.h"

#include <cmath>

#include "skyhook/math/sparse_rank.h"

namespace skyhook::formalism {

FreeMotions::FreeMotions(const Linearised& lin) : rows_(lin.rows()) {
  const int moving = lin.equations().tree().nv;
  Csc G = lin.sparse_rows();
  Csc scaled = G;
  for (int j = 0; j < G.pattern->cols; ++j) {
    for (int k = G.pattern->start[j]; k < G.pattern->start[j + 1]; ++k)
      scaled.value[k] = G.value[k] / std::sqrt(lin.inertia(j));
  }
  const IndependentColumns dependent = independent_columns(scaled, rank_threshold);
  for (int j = 0; j < moving; ++j) {
    if (!dependent.independent[j]) free_.push_back(j);
  }
  if (rows_ + static_cast<int>(free_.size()) != moving) return;  // singular here
  PatternBuilder builder(moving, moving);
  const auto entries = [&](auto&& put) {
    for (int j = 0; j < moving; ++j) {
      for (int k = G.pattern->start[j]; k < G.pattern->start[j + 1]; ++k) put(G.pattern->row[k], j, G.value[k]);
    }
    for (std::size_t k = 0; k < free_.size(); ++k) put(rows_ + static_cast<int>(k), free_[k], 1.0);
  };
  entries([&](int i, int j, double) { builder.add(i, j); });
  matrix_ = Csc(std::make_shared<const Pattern>(builder.build()));
  entries([&](int i, int j, double value) { matrix_.value[matrix_.pattern->find(i, j)] = value; });
  lu_.emplace(matrix_.pattern);
  ok_ = lu_->factor(matrix_.value);
}

Vector FreeMotions::motion(int k) {
  if (!ok_) return {};
  Vector x(matrix_.pattern->cols, 0.0);
  x[rows_ + k] = 1.0;
  lu_->solve_refined(x);
  return x;
}

}  // namespace skyhook::formalism
