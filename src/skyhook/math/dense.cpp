#include "skyhook/math/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "skyhook/math/lanes.h"

namespace skyhook {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Map = Eigen::Map<const MatrixXd>;

Map view(const DenseMatrix& a) { return {a.value.data(), a.rows, a.cols}; }
Eigen::Map<const VectorXd> view(const Vector& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }
DenseMatrix store(const MatrixXd& m) {
  DenseMatrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  std::copy(m.data(), m.data() + m.size(), out.value.begin());
  return out;
}
Vector store_vector(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace

DenseMatrix::DenseMatrix(const Csc& a) : DenseMatrix(a.pattern->rows, a.pattern->cols) {
  for (int j = 0; j < cols; ++j) {
    for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) (*this)(a.pattern->row[k], j) = a.value[k];
  }
}

DenseMatrix DenseMatrix::select(const std::vector<int>& which_rows, const std::vector<int>& which_cols) const {
  DenseMatrix out(static_cast<int>(which_rows.size()), static_cast<int>(which_cols.size()));
  for (int j = 0; j < out.cols; ++j) {
    for (int i = 0; i < out.rows; ++i) out(i, j) = (*this)(which_rows[i], which_cols[j]);
  }
  return out;
}

bool DenseMatrix::is_finite() const { return view(value).allFinite(); }
DenseMatrix transpose(const DenseMatrix& a) { return store(view(a).transpose()); }
Vector operator*(const DenseMatrix& a, const Vector& x) { return store_vector(view(a) * view(x)); }
DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b) { return store(view(a) * view(b)); }
// Of a NaN the comparison with itself is false; once found it stays, since nothing is larger.
double largest(const Vector& x) {
  Lanes most(0.0);
  std::size_t k = 0;
  for (; k + Lanes::count <= x.size(); k += Lanes::count) {
    const Lanes size = abs(Lanes::load(&x[k]));
    most = select((size > most) | (size != size), size, most);
  }
  double m = 0;
  const auto look = [&](double size) { m = size > m || std::isnan(size) ? size : m; };
  for (int i = 0; i < Lanes::count; ++i) look(most[i]);
  for (; k < x.size(); ++k) look(std::abs(x[k]));
  return m;
}

Cholesky::Cholesky(const DenseMatrix& m) {
  const Eigen::LLT<MatrixXd> llt(view(m));
  ok_ = llt.info() == Eigen::Success;
  if (ok_) lower_ = store(llt.matrixL());
}
DenseMatrix Cholesky::solve_lower(const DenseMatrix& b) const {
  if (b.rows == 0 || b.cols == 0) return b;  // Eigen would refer to an entry that is not there
  const MatrixXd x = view(lower_).triangularView<Eigen::Lower>().solve(view(b));
  return store(x);
}
Vector Cholesky::solve_upper(const Vector& b) const {
  const VectorXd x = view(lower_).transpose().triangularView<Eigen::Upper>().solve(view(b));
  return store_vector(x);
}

struct LeastNorm::Decomposition {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
};
LeastNorm::LeastNorm(const DenseMatrix& a, double threshold) : decomposition_(std::make_unique<Decomposition>()) {
  decomposition_->cod.setThreshold(threshold);
  decomposition_->cod.compute(view(a));
}
LeastNorm::~LeastNorm() = default;
LeastNorm::LeastNorm(LeastNorm&&) noexcept = default;
Vector LeastNorm::solve(const Vector& b) const { return store_vector(decomposition_->cod.solve(view(b))); }
int LeastNorm::rank() const { return static_cast<int>(decomposition_->cod.rank()); }

PivotedColumns pivot_columns(const DenseMatrix& a, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a.rows, a.cols);
  qr.setThreshold(threshold);
  qr.compute(view(a));
  PivotedColumns out;
  out.rank = static_cast<int>(qr.rank());
  const auto& order = qr.colsPermutation().indices();
  out.order.assign(order.data(), order.data() + order.size());
  if (out.rank > 0) out.condition = std::abs(qr.matrixQR()(0, 0) / qr.matrixQR()(out.rank - 1, out.rank - 1));
  return out;
}

DenseMatrix null_space(const DenseMatrix& a, double threshold) {
  if (a.rows == 0) return store(MatrixXd::Identity(a.cols, a.cols));
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a.cols, a.rows);
  qr.setThreshold(threshold);
  qr.compute(view(a).transpose());
  const MatrixXd q = qr.householderQ();
  return store(q.rightCols(a.cols - qr.rank()));
}

DenseMatrix row_space(const DenseMatrix& a, double threshold) {
  if (a.rows == 0 || a.cols == 0) return DenseMatrix(a.cols, 0);
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a.cols, a.rows);
  qr.setThreshold(threshold);
  qr.compute(view(a).transpose());
  const MatrixXd q = qr.householderQ() * MatrixXd::Identity(a.cols, qr.rank());
  return store(q);
}

Vector solve_symmetric(const DenseMatrix& s, const Vector& b) { return store_vector(view(s).ldlt().solve(view(b))); }

Vector symmetric_eigenvalues(const DenseMatrix& s) {
  return store_vector(Eigen::SelfAdjointEigenSolver<MatrixXd>(view(s), Eigen::EigenvaluesOnly).eigenvalues());
}

}  // namespace skyhook
