// Dense linear algebra for the small, rare problems: initial values, rank, singular positions, equilibria. Eigen stands
// behind it in dense.cpp alone, because its decompositions are slow to compile.
#pragma once
#include <memory>
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

using Vector = std::vector<double>;

// Column-major.
struct DenseMatrix {
  int rows = 0, cols = 0;
  Vector value;
  DenseMatrix() = default;
  DenseMatrix(int r, int c) : rows(r), cols(c), value(static_cast<std::size_t>(r) * c, 0.0) {}
  explicit DenseMatrix(const Csc& a);
  double& operator()(int i, int j) { return value[static_cast<std::size_t>(j) * rows + i]; }
  double operator()(int i, int j) const { return value[static_cast<std::size_t>(j) * rows + i]; }
  DenseMatrix select(const std::vector<int>& which_rows, const std::vector<int>& which_cols) const;
  bool is_finite() const;
};
DenseMatrix transpose(const DenseMatrix& a);
Vector operator*(const DenseMatrix& a, const Vector& x);
DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b);
double largest(const Vector& x);  // infinity norm

// M = L L^T of a positive definite matrix.
class Cholesky {
 public:
  explicit Cholesky(const DenseMatrix& m);
  bool ok() const { return ok_; }
  DenseMatrix solve_lower(const DenseMatrix& b) const;  // L^-1 b
  Vector solve_upper(const Vector& b) const;            // L^-T b

 private:
  bool ok_;
  DenseMatrix lower_;
};

// Complete orthogonal decomposition: the solution of least size of A x = b, least squares where there is none.
class LeastNorm {
 public:
  LeastNorm(const DenseMatrix& a, double threshold);
  ~LeastNorm();
  LeastNorm(LeastNorm&&) noexcept;
  Vector solve(const Vector& b) const;
  int rank() const;

 private:
  struct Decomposition;
  std::unique_ptr<Decomposition> decomposition_;
};

// Column-pivoted QR: which columns are independent, and how well.
struct PivotedColumns {
  int rank = 0;
  std::vector<int> order;  // columns, most independent first
  double condition = 1;    // largest over smallest pivot among the first `rank`
};
PivotedColumns pivot_columns(const DenseMatrix& a, double threshold);
// Orthonormal basis of the x with A x = 0, as columns.
DenseMatrix null_space(const DenseMatrix& a, double threshold);
// The same of the combinations of its rows.
DenseMatrix row_space(const DenseMatrix& a, double threshold);
// Solves S x = b for a symmetric positive semidefinite S.
Vector solve_symmetric(const DenseMatrix& s, const Vector& b);
// Ascending.
Vector symmetric_eigenvalues(const DenseMatrix& s);

}  // namespace skyhook
