#include "skyhook/formalism/singular_position.h"

#include <algorithm>
#include <cmath>

#include "skyhook/math/dense.h"
#include "skyhook/math/klu.h"
#include "skyhook/math/sparse_rank.h"

namespace skyhook::formalism {
namespace {

constexpr std::size_t many_unknowns = 1000;  // dense decompositions cost their cube

// Of many unknowns: rows that depend on others here carry nothing. Not the solution of least size, but one.
Vector solve_independent(const Csc& given, const Csc& jacobian, const Vector& right) {
  const Pattern& rows = *jacobian.pattern;
  const int nv = rows.cols, ng = rows.rows;
  PatternBuilder columns(nv, ng);
  for (int j = 0; j < nv; ++j) {
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) columns.add(j, rows.row[k]);
  }
  Csc transposed(std::make_shared<const Pattern>(columns.build()));
  for (int r = 0; r < ng; ++r) {
    for (int k = transposed.pattern->start[r]; k < transposed.pattern->start[r + 1]; ++k)
      transposed.value[k] = jacobian.at(r, transposed.pattern->row[k]);
  }
  const IndependentColumns kept = independent_columns(transposed, 1e-10);
  PatternBuilder with_diagonal(nv + ng, nv + ng);
  const auto is_left = [&](int i) { return i >= nv && !kept.independent[i - nv]; };
  const auto entries = [&](auto&& put) {
    for (int j = 0; j < given.pattern->cols; ++j) {
      if (is_left(j)) put(j, j, 1.0);
      for (int k = given.pattern->start[j]; k < given.pattern->start[j + 1]; ++k) {
        const int i = given.pattern->row[k];
        if (!is_left(i) && !is_left(j)) put(i, j, given.value[k]);
      }
    }
  };
  entries([&](int i, int j, double) { with_diagonal.add(i, j); });
  Csc matrix(std::make_shared<const Pattern>(with_diagonal.build()));
  entries([&](int i, int j, double value) { matrix.value[matrix.pattern->find(i, j)] = value; });
  Klu lu(matrix.pattern);
  if (!lu.factor(matrix.value)) return {};
  Vector y = right;
  for (int r = 0; r < ng; ++r) {
    if (is_left(nv + r)) y[nv + r] = 0;
  }
  lu.solve_refined(y);
  return y;
}

}  // namespace

bool solve_singular(const Csc& matrix, const Csc& jacobian, Span x) {
  if (!std::ranges::all_of(matrix.value, [](double e) { return std::isfinite(e); })) return false;
  const Vector right(x.begin(), x.end());
  const Vector y = right.size() > many_unknowns ? solve_independent(matrix, jacobian, right)
                                                : LeastNorm(DenseMatrix(matrix), 1e-10).solve(right);
  if (y.empty()) return false;
  Vector left = right;
  for (double& e : left) e = -e;
  multiply_add(matrix, y, 1.0, left);
  if (!(largest(left) <= 1e-6 * (1 + largest(right)))) return false;  // NaN ends here too
  std::ranges::copy(y, x.begin());
  return true;
}

}  // namespace skyhook::formalism
