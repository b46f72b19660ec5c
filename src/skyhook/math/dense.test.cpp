#include "skyhook/math/dense.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace skyhook;

namespace {

DenseMatrix random_matrix(int rows, int cols, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<> value(-1, 1);
  DenseMatrix a(rows, cols);
  for (double& x : a.value) x = value(engine);
  return a;
}

// a * b, by definition
DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix c(a.rows, b.cols);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.cols; ++j) {
      for (int k = 0; k < a.cols; ++k) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

double difference(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return largest(a);
}

}  // namespace

TEST_CASE("Cholesky: L L^T gives the matrix back, and an indefinite one is refused") {
  const DenseMatrix b = random_matrix(6, 6, 1);
  DenseMatrix m = product(b, transpose(b));
  for (int i = 0; i < 6; ++i) m(i, i) += 0.5;
  const Cholesky factor(m);
  REQUIRE(factor.ok());
  DenseMatrix identity(6, 6);
  for (int i = 0; i < 6; ++i) identity(i, i) = 1;
  const DenseMatrix inverse_lower = factor.solve_lower(identity);  // L^-1
  const Vector x{1, -2, 3, 0.5, 0, 4};
  // L^-T L^-1 (M x) = x
  const Vector y = factor.solve_upper(inverse_lower * (m * x));
  CHECK(difference(y, x) < 1e-12);
  m(0, 0) = -1;
  CHECK_FALSE(Cholesky(m).ok());
}

// x is the least-norm solution exactly if A x = b and x lies in the row space: x = A^T z.
TEST_CASE("LeastNorm: solves a rank-deficient system with the smallest vector") {
  const DenseMatrix half = random_matrix(4, 7, 2);
  DenseMatrix a(6, 7);
  for (int j = 0; j < 7; ++j) {
    for (int i = 0; i < 4; ++i) a(i, j) = half(i, j);
    a(4, j) = half(0, j) + half(1, j), a(5, j) = -2 * half(3, j);
  }
  const LeastNorm solver(a, 1e-10);
  CHECK(solver.rank() == 4);
  const Vector b = a * Vector{1, 2, 3, 4, 5, 6, 7};
  const Vector x = solver.solve(b);
  CHECK(difference(a * x, b) < 1e-12);
  const DenseMatrix free = null_space(a, 1e-10);
  REQUIRE(free.cols == 3);
  CHECK(largest(transpose(free) * x) < 1e-12);
}

TEST_CASE("pivot_columns: finds the independent columns, the largest first") {
  DenseMatrix a(3, 4);  // column 2 = column 0 + column 1, column 3 is the largest
  a(0, 0) = 1, a(1, 1) = 1, a(0, 2) = 1, a(1, 2) = 1, a(2, 3) = 10;
  const PivotedColumns p = pivot_columns(a, 1e-10);
  CHECK(p.rank == 3);
  CHECK(p.order[0] == 3);
  CHECK(p.order[1] == 2);  // longer than 0 and 1
  CHECK(p.condition == doctest::Approx(10 / std::sqrt(0.5)));
}

TEST_CASE("null_space: orthonormal, and of full size without rows") {
  const DenseMatrix a = random_matrix(2, 5, 3), z = null_space(a, 1e-10);
  REQUIRE(z.cols == 3);
  const DenseMatrix zero = product(a, z), one = product(transpose(z), z);
  CHECK(largest(zero.value) < 1e-14);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) CHECK(std::abs(one(i, j) - (i == j)) < 1e-14);
  }
  CHECK(null_space(DenseMatrix(0, 4), 1e-10).cols == 4);
}

TEST_CASE("symmetric matrices: solve and eigenvalues of a known one") {
  DenseMatrix s(2, 2);
  s(0, 0) = s(1, 1) = 2, s(0, 1) = s(1, 0) = 1;
  CHECK(difference(solve_symmetric(s, {3, 3}), {1, 1}) < 1e-14);
  CHECK(difference(symmetric_eigenvalues(s), {1, 3}) < 1e-14);
}

TEST_CASE("largest finds the largest size wherever it stands, and reports a NaN") {
  for (std::size_t size = 1; size <= 9; ++size) {  // whole fours, and what is left of them
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<double> x(size, 1.0);
      x[at] = -3;
      CHECK(largest(x) == 3);
      x[at] = std::nan("");
      CHECK(std::isnan(largest(x)));
    }
  }
  CHECK(largest({}) == 0);
}
