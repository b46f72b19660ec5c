#include "skyhook/math/eigenproblem.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace skyhook {
namespace {

using Eigen::MatrixXd;

// Scales by powers of two, d_i, such that rows and columns of D^-1 A D are about equally large: no rounding.
Vector balance(MatrixXd& a) {
  constexpr double enough = 0.95;
  const auto n = a.rows();
  Vector d(static_cast<std::size_t>(n), 1.0);
  for (bool is_balanced = false; !is_balanced;) {
    is_balanced = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double diagonal = std::abs(a(i, i));
      double column = a.col(i).lpNorm<1>() - diagonal, row = a.row(i).lpNorm<1>() - diagonal;
      if (!(column > 0) || !(row > 0)) continue;
      const double before = column + row;
      double f = 1;
      while (column < row / 2) f *= 2, column *= 2, row /= 2;
      while (column > row * 2) f /= 2, column /= 2, row *= 2;
      if (!(column + row < enough * before)) continue;
      is_balanced = false;
      a.col(i) *= f, a.row(i) /= f, d[static_cast<std::size_t>(i)] *= f;
    }
  }
  return d;
}

void normalise(ComplexVector& x) {
  double sum = 0;
  for (const Complex& e : x) sum += std::norm(e);
  const double scale = sum > 0 ? 1 / std::sqrt(sum) : 0;
  for (Complex& e : x) e *= scale;
}

std::vector<ComplexVector> vectors(const Eigen::MatrixXcd& from, const Vector& d, bool inverted) {
  std::vector<ComplexVector> out;
  for (Eigen::Index k = 0; k < from.cols(); ++k) {
    ComplexVector& x = out.emplace_back(d.size());
    for (std::size_t i = 0; i < d.size(); ++i)
      x[i] = from(static_cast<Eigen::Index>(i), k) * (inverted ? 1 / d[i] : d[i]);
    normalise(x);
  }
  return out;
}

}  // namespace

EigenPairs eigen_pairs(const DenseMatrix& matrix, bool with_left) {
  EigenPairs out;
  if (matrix.rows == 0) return out.ok = true, out;
  if (!matrix.is_finite()) return out;
  MatrixXd a = Eigen::Map<const MatrixXd>(matrix.value.data(), matrix.rows, matrix.cols);
  const Vector d = balance(a);
  const Eigen::EigenSolver<MatrixXd> solver(a);
  if (solver.info() != Eigen::Success) return out;
  out.ok = true;
  out.values.assign(solver.eigenvalues().data(), solver.eigenvalues().data() + a.rows());
  const Eigen::MatrixXcd right = solver.eigenvectors();
  out.right = vectors(right, d, false);
  if (!with_left) return out;
  const Eigen::MatrixXcd left = right.partialPivLu().inverse().transpose();  // rows of the inverse
  out.left = vectors(left, d, true);
  return out;
}

ComplexVector solve_shifted(const DenseMatrix& a, Complex s, const ComplexVector& b) {
  if (a.rows == 0) return {};
  Eigen::MatrixXcd matrix = -Eigen::Map<const MatrixXd>(a.value.data(), a.rows, a.cols).cast<Complex>();
  matrix.diagonal().array() += s;
  const Eigen::VectorXcd x =
      matrix.partialPivLu().solve(Eigen::Map<const Eigen::VectorXcd>(b.data(), static_cast<Eigen::Index>(b.size())));
  return {x.data(), x.data() + x.size()};
}

}  // namespace skyhook
