#include "skyhook/math/eigenproblem.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace skyhook;

namespace {

double right_residual(const DenseMatrix& a, const EigenPairs& e, std::size_t k) {
  double worst = 0;
  for (int i = 0; i < a.rows; ++i) {
    Complex sum = -e.values[k] * e.right[k][i];
    for (int j = 0; j < a.cols; ++j) sum += a(i, j) * e.right[k][j];
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

double left_residual(const DenseMatrix& a, const EigenPairs& e, std::size_t k) {
  double worst = 0;
  for (int j = 0; j < a.cols; ++j) {
    Complex sum = -e.values[k] * e.left[k][j];
    for (int i = 0; i < a.rows; ++i) sum += e.left[k][i] * a(i, j);
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

}  // namespace

TEST_CASE("Right and left eigenvectors satisfy their equations") {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int n : {1, 2, 5, 30}) {
    DenseMatrix a(n, n);
    for (double& x : a.value) x = uniform(engine);
    const EigenPairs e = eigen_pairs(a, true);
    REQUIRE(e.ok);
    for (std::size_t k = 0; k < e.values.size(); ++k) {
      CHECK(right_residual(a, e, k) < 1e-13 * n);
      CHECK(left_residual(a, e, k) < 1e-12 * n);  // through the inverse of the right ones: times their condition
    }
  }
}

TEST_CASE("An oscillator in badly chosen units keeps its digits") {
  // x' = v, v' = -w^2 x - 2 d w v with x in nm: without balancing the error would be 1e-16 of the largest entry, 1e+9 w^2.
  const double w = 3, d = 0.1, unit = 1e9;
  DenseMatrix a(2, 2);
  a(0, 1) = unit, a(1, 0) = -w * w / unit, a(1, 1) = -2 * d * w;
  const EigenPairs e = eigen_pairs(a);
  REQUIRE(e.ok);
  for (const Complex& value : e.values) {
    CHECK(std::abs(value.real() + d * w) < 1e-14 * w);
    CHECK(std::abs(std::abs(value.imag()) - w * std::sqrt(1 - d * d)) < 1e-14 * w);
  }
}
