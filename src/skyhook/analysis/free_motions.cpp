#include "skyhook/analysis/free_motions.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {
namespace {

// Scales by which S becomes comparable: coordinates in which the inertia is 1, so that its entries are squares of frequencies, and inner
// states in their usual sizes. Rows and columns are not brought to equal size beyond that: what is nearly free in a position that is nearly an
// equilibrium would be made stiff.
class Scales {
 public:
  Scales(const simulation::Equations& eq, const Linearisation& linear)
      : n_(linear.coordinates), inertia_(symmetric(linear.M)) {
    for (int k = 0; k < linear.inner; ++k) nominal_.push_back(eq.nominal(eq.moving() + k));
  }
  bool ok() const { return inertia_.ok(); }
  DenseMatrix scaled(const DenseMatrix& S) const {
    const DenseMatrix rows = left(S, false);
    return transpose(left(transpose(rows), true));
  }
  // A null vector of the scaled matrix, back in units.
  Vector back(const Vector& x) const {
    Vector out = inertia_.solve_upper(Vector(x.begin(), x.begin() + n_));
    for (std::size_t k = 0; k < nominal_.size(); ++k) out.push_back(x[static_cast<std::size_t>(n_) + k] * nominal_[k]);
    return out;
  }

 private:
  static DenseMatrix symmetric(const DenseMatrix& M) {
    DenseMatrix out = transpose(M);
    for (std::size_t k = 0; k < out.value.size(); ++k) out.value[k] = 0.5 * (out.value[k] + M.value[k]);
    return out;
  }
  DenseMatrix left(const DenseMatrix& a, bool of_columns) const {
    std::vector<int> top, all;
    for (int i = 0; i < n_; ++i) top.push_back(i);
    for (int j = 0; j < a.cols; ++j) all.push_back(j);
    const DenseMatrix moved = inertia_.solve_lower(a.select(top, all));
    DenseMatrix out = a;
    for (int j = 0; j < a.cols; ++j) {
      for (int i = 0; i < n_; ++i) out(i, j) = moved(i, j);
      for (std::size_t k = 0; k < nominal_.size(); ++k)
        out(n_ + static_cast<int>(k), j) *= of_columns ? nominal_[k] : 1 / nominal_[k];
    }
    return out;
  }

  int n_;
  Cholesky inertia_;
  Vector nominal_;
};

// How many of the free motions do not go on at constant speed: the rank of L^T Q N, scaled. Where L and N have but one coordinate, that of a shaft
// that spins freely, all terms of a product are rounding: so it is measured by the largest entry of Q too.
int rank_of_chains(const DenseMatrix& L, const DenseMatrix& Q, const DenseMatrix& N) {
  const auto sizes = [](DenseMatrix a) {
    for (double& x : a.value) x = std::abs(x);
    return a;
  };
  DenseMatrix product = transpose(L) * (Q * N);
  const DenseMatrix terms = sizes(transpose(L)) * (sizes(Q) * sizes(N));
  const double least = 1e-10 * largest(Q.value);
  for (std::size_t k = 0; k < product.value.size(); ++k) {
    const double counts = std::max(1e-9 * terms.value[k], least);
    product.value[k] = std::abs(product.value[k]) > counts ? product.value[k] / terms.value[k] : 0.0;
  }
  return largest(product.value) > 0 ? pivot_columns(product, 1e-8).rank : 0;
}

}  // namespace

std::vector<int> own_coordinates(DenseMatrix& N) {
  std::vector<int> own;
  for (int c = 0; c < N.cols; ++c) {
    int pivot = 0, from = c;
    double most = -1;
    for (int j = c; j < N.cols; ++j) {
      for (int i = 0; i < N.rows; ++i) {
        const double size = std::abs(N(i, j));
        if (size > 1.0001 * most && std::ranges::count(own, i) == 0) most = size, pivot = i, from = j;
      }
    }
    for (int i = 0; i < N.rows; ++i) std::swap(N(i, c), N(i, from));
    const double unit = N(pivot, c);
    for (int i = 0; i < N.rows; ++i) N(i, c) /= unit;
    for (int j = 0; j < N.cols; ++j) {
      const double factor = N(pivot, j);
      for (int i = 0; j != c && i < N.rows; ++i) N(i, j) -= factor * N(i, c);
    }
    own.push_back(pivot);
  }
  return own;
}

FreeMotions find_free_motions(const simulation::Equations& eq, const Linearisation& linear) {
  FreeMotions out;
  const int n = linear.coordinates, ns = linear.inner, total = n + ns;
  if (total == 0) return out;
  // Statics [K E; -Acy -Acc] (y, c) = 0 (12.10), and what one step along a chain asks for (12.11).
  DenseMatrix S(total, total), Q(total, total);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) S(i, j) = linear.K(i, j), Q(i, j) = -linear.D(i, j);
    for (int i = 0; i < ns; ++i) S(n + i, j) = -linear.A(2 * n + i, j), Q(n + i, j) = linear.A(2 * n + i, n + j);
  }
  for (int j = 0; j < ns; ++j) {
    for (int i = 0; i < n; ++i) S(i, n + j) = linear.E(i, j);
    for (int i = 0; i < ns; ++i) S(n + i, n + j) = -linear.A(2 * n + i, 2 * n + j);
    Q(n + j, n + j) = -1;
  }
  const Scales scales(eq, linear);
  if (!scales.ok()) return out;
  constexpr double nothing = 1e-12;  // of the square of the highest frequency
  const DenseMatrix scaled = scales.scaled(S);
  const bool is_zero = largest(scaled.value) == 0;
  const auto null_of = [&](const DenseMatrix& a) { return null_space(is_zero ? DenseMatrix(0, total) : a, nothing); };
  DenseMatrix N = null_of(scaled);
  if (N.cols == 0) return out;
  out.zeros = 2 * N.cols - rank_of_chains(null_of(transpose(scaled)), scales.scaled(Q), N);
  const auto column = [&](int j) { return N.value.begin() + static_cast<long>(j) * total; };
  for (int j = 0; j < N.cols; ++j) std::ranges::copy(scales.back(Vector(column(j), column(j) + total)), column(j));
  own_coordinates(N);
  for (double& x : N.value) x = std::abs(x) < 1e-10 ? 0.0 : x;
  for (int j = 0; j < N.cols; ++j) out.shapes.emplace_back(column(j), column(j) + total);
  return out;
}

}  // namespace skyhook::analysis
