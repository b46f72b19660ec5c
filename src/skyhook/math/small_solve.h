// A few linear equations at a time, in place and without allocation: the local unknowns of one element.
#pragma once
#include <cmath>
#include <span>
#include <utility>

namespace skyhook {

// A X = B by elimination with row exchanges; A is n x n and B n x m, row by row. X replaces B. False: A is singular.
inline bool solve_small(std::span<double> A, std::span<double> B, int n, int m) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    }
    if (!(std::abs(A[pivot * n + k]) > 0) || !std::isfinite(A[pivot * n + k])) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
      for (int j = 0; j < m; ++j) std::swap(B[k * m + j], B[pivot * m + j]);
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      for (int j = 0; j < m; ++j) B[i * m + j] -= factor * B[k * m + j];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < m; ++j) {
      double sum = B[k * m + j];
      for (int i = k + 1; i < n; ++i) sum -= A[k * n + i] * B[i * m + j];
      B[k * m + j] = sum / A[k * n + k];
    }
  }
  return true;
}

}  // namespace skyhook
