#include "skyhook/analysis/free_motions.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {
namespace {

// Statics [K E; -Acy -Acc] (y, c) = 0, and what one step along a chain asks for: [-D 0; Acv -1].
struct Statics {
  DenseMatrix S, Q;
  Vector row_scale, column_scale;  // S is scaled by these, Q is not
};

// Units of coordinates so that inertia is 1, of inner states their usual sizes; what is left of rounding then is nothing.
void scale_by_inertia(const simulation::Equations& eq, const Linearisation& linear, Statics& s) {
  const int n = linear.coordinates, total = n + linear.inner;
  s.row_scale.assign(static_cast<std::size_t>(total), 1.0), s.column_scale = s.row_scale;
  for (int i = 0; i < n; ++i) s.row_scale[i] = s.column_scale[i] = 1 / std::sqrt(linear.M(i, i));
  for (int i = n; i < total; ++i) {
    s.column_scale[i] = eq.nominal(eq.moving() + i - n);
    s.row_scale[i] = 1 / s.column_scale[i];
  }
  double of_forces = 0, of_rates = 0;
  for (int j = 0; j < total; ++j) {
    for (int i = 0; i < total; ++i) {
      double& x = s.S(i, j);
      x *= s.row_scale[i] * s.column_scale[j];
      (i < n ? of_forces : of_rates) = std::max(i < n ? of_forces : of_rates, std::abs(x));
    }
  }
  constexpr double rounding = 1e-13;
  for (int j = 0; j < total; ++j) {
    for (int i = 0; i < total; ++i) {
      if (std::abs(s.S(i, j)) < rounding * (i < n ? of_forces : of_rates)) s.S(i, j) = 0;
    }
  }
}

// Rows and columns to about the same size, so that soft parts are not taken for free ones beside stiff parts.
void equilibrate(Statics& s) {
  const int n = s.S.rows;
  for (int round = 0; round < 8; ++round) {
    Vector rows(static_cast<std::size_t>(n)), columns(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        rows[i] = std::max(rows[i], std::abs(s.S(i, j))), columns[j] = std::max(columns[j], std::abs(s.S(i, j)));
      }
    }
    const auto by = [](double x) { return x > 0 ? 1 / std::sqrt(x) : 1.0; };
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) s.S(i, j) *= by(rows[i]) * by(columns[j]);
    }
    for (int i = 0; i < n; ++i) s.row_scale[i] *= by(rows[i]), s.column_scale[i] *= by(columns[i]);
  }
}

// Columns of N combined so that each has a coordinate to itself: "the car along x", not a mixture.
void tidy(DenseMatrix& N) {
  const std::vector<int> order = pivot_columns(transpose(N), 1e-12).order;
  std::vector<int> columns;
  for (int j = 0; j < N.cols; ++j) columns.push_back(j);
  const std::vector<int> pivots(order.begin(), order.begin() + N.cols);
  const LeastNorm block(N.select(pivots, columns), 1e-14);
  DenseMatrix inverse(N.cols, N.cols);
  for (int j = 0; j < N.cols; ++j) {
    Vector unit(static_cast<std::size_t>(N.cols));
    unit[static_cast<std::size_t>(j)] = 1;
    const Vector x = block.solve(unit);
    for (int i = 0; i < N.cols; ++i) inverse(i, j) = x[i];
  }
  N = N * inverse;
  for (double& x : N.value) x = std::abs(x) < 1e-10 ? 0.0 : x;
}

// How many of the free motions go on at constant speed: those for which L^T Q N a = 0.
int rank_of_chains(const DenseMatrix& L, const DenseMatrix& Q, const DenseMatrix& N) {
  const auto sizes = [](DenseMatrix a) {
    for (double& x : a.value) x = std::abs(x);
    return a;
  };
  DenseMatrix product = transpose(L) * (Q * N);
  const DenseMatrix terms = sizes(transpose(L)) * (sizes(Q) * sizes(N));
  for (std::size_t k = 0; k < product.value.size(); ++k)
    product.value[k] = std::abs(product.value[k]) > 1e-9 * terms.value[k] ? product.value[k] / terms.value[k] : 0.0;
  return largest(product.value) > 0 ? pivot_columns(product, 1e-8).rank : 0;
}

}  // namespace

FreeMotions find_free_motions(const simulation::Equations& eq, const Linearisation& linear) {
  FreeMotions out;
  const int n = linear.coordinates, ns = linear.inner, total = n + ns;
  if (total == 0) return out;
  Statics s{DenseMatrix(total, total), DenseMatrix(total, total), {}, {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) s.S(i, j) = linear.K(i, j), s.Q(i, j) = -linear.D(i, j);
    for (int i = 0; i < ns; ++i) s.S(n + i, j) = -linear.A(2 * n + i, j), s.Q(n + i, j) = linear.A(2 * n + i, n + j);
  }
  for (int j = 0; j < ns; ++j) {
    for (int i = 0; i < n; ++i) s.S(i, n + j) = linear.E(i, j);
    for (int i = 0; i < ns; ++i) s.S(n + i, n + j) = -linear.A(2 * n + i, 2 * n + j);
    s.Q(n + j, n + j) = -1;
  }
  scale_by_inertia(eq, linear, s);
  equilibrate(s);
  constexpr double nothing = 1e-10;
  DenseMatrix N = largest(s.S.value) > 0 ? null_space(s.S, nothing) : null_space(DenseMatrix(0, total), nothing);
  if (N.cols == 0) return out;
  DenseMatrix L = largest(s.S.value) > 0 ? null_space(transpose(s.S), nothing) : N;
  for (int j = 0; j < N.cols; ++j) {
    for (int i = 0; i < total; ++i) N(i, j) *= s.column_scale[i], L(i, j) *= s.row_scale[i];
  }
  out.zeros = 2 * N.cols - rank_of_chains(L, s.Q, N);
  tidy(N);
  for (int j = 0; j < N.cols; ++j) {
    const auto first = N.value.begin() + static_cast<long>(j) * total;
    out.shapes.emplace_back(first, first + total);
  }
  return out;
}

}  // namespace skyhook::analysis
