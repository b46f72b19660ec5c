#include "skyhook/math/inertia.h"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace skyhook {

std::optional<int> negative_eigenvalues(const Csc& a) {
  const Pattern& p = *a.pattern;
  if (p.cols == 0) return 0;
  const Eigen::Map<const Eigen::SparseMatrix<double>> view(p.rows, p.cols, p.nonzeros(), p.start.data(), p.row.data(),
                                                           a.value.data());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt(view);
  if (ldlt.info() != Eigen::Success) return {};
  int count = 0;
  for (const double d : ldlt.vectorD()) {
    if (!std::isfinite(d) || d == 0) return {};
    if (d < 0) ++count;
  }
  return count;
}

}  // namespace skyhook
