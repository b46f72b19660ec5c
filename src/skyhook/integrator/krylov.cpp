#include "skyhook/integrator/krylov.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::integrator {
namespace {

double dot(CSpan a, CSpan b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Krylov::Krylov(std::size_t n, int depth)
    : n_(n),
      depth_(depth > 0 ? depth : most),
      limit_(std::min(most, static_cast<int>(n))),
      basis_(n * (most + 1)),
      work_(n),
      hessenberg_((most + 1) * (most + 1)),
      factors_(hessenberg_.size()),
      coefficients_(most + 1) {}

double Krylov::begin(Span r) {
  const double beta = std::sqrt(dot(r, r));
  std::ranges::fill(hessenberg_, 0.0);
  for (std::size_t i = 0; i < n_ && beta > 0; ++i) basis_[i] = r[i] / beta;
  return beta;
}

// Modified Gram-Schmidt, from max(0, m - p + 1) on.
void Krylov::orthogonalise(int m) {
  for (int i = std::max(0, m - depth_ + 1); i <= m; ++i) {
    const CSpan v = vector(i);
    const double h = entry(i, m) = dot(work_, v);
    for (std::size_t k = 0; k < n_; ++k) work_[k] -= h * v[k];
  }
  const double size = entry(m + 1, m) = std::sqrt(dot(work_, work_));
  for (std::size_t k = 0; k < n_; ++k)
    basis_[static_cast<std::size_t>(m + 1) * n_ + k] = size > 0 ? work_[k] / size : 0.0;
}

// H y = beta e1 by elimination with pivoting: at most 20 unknowns. The residual is h(m+1, m) |y_m|, (16) there.
double Krylov::project(int m, double beta) {
  factors_ = hessenberg_;
  const auto at = [&](int i, int j) -> double& { return factors_[static_cast<std::size_t>(i * (most + 1) + j)]; };
  std::ranges::fill(coefficients_, 0.0);
  coefficients_[0] = beta;
  for (int k = 0; k <= m; ++k) {
    if (k < m && std::abs(at(k + 1, k)) > std::abs(at(k, k))) {
      for (int j = k; j <= m; ++j) std::swap(at(k, j), at(k + 1, j));
      std::swap(coefficients_[static_cast<std::size_t>(k)], coefficients_[static_cast<std::size_t>(k + 1)]);
    }
    if (at(k, k) == 0) return std::numeric_limits<double>::infinity();
    if (k == m) break;
    const double factor = at(k + 1, k) / at(k, k);
    for (int j = k; j <= m; ++j) at(k + 1, j) -= factor * at(k, j);
    coefficients_[static_cast<std::size_t>(k + 1)] -= factor * coefficients_[static_cast<std::size_t>(k)];
  }
  for (int k = m; k >= 0; --k) {
    double sum = coefficients_[static_cast<std::size_t>(k)];
    for (int j = k + 1; j <= m; ++j) sum -= at(k, j) * coefficients_[static_cast<std::size_t>(j)];
    coefficients_[static_cast<std::size_t>(k)] = sum / at(k, k);
  }
  return entry(m + 1, m) * std::abs(coefficients_[static_cast<std::size_t>(m)]);
}

void Krylov::combine(int m, Span s) const {
  std::ranges::fill(s, 0.0);
  for (int i = 0; i <= m; ++i) {
    const CSpan v = vector(i);
    for (std::size_t k = 0; k < n_; ++k) s[k] += coefficients_[static_cast<std::size_t>(i)] * v[k];
  }
}

}  // namespace skyhook::integrator
