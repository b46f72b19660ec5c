#include "skyhook/math/smoothing_spline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace skyhook {
namespace {

constexpr int order = 6;  // B-splines over a cell

// Coefficients of the powers of u in [0, 1] of the six quintic B-splines that live on a cell; the first one ends there.
constexpr std::array<std::array<double, order>, order> basis{{{1, -5, 10, -10, 5, -1},
                                                              {26, -50, 20, 20, -20, 5},
                                                              {66, 0, -60, 0, 30, -10},
                                                              {26, 50, 20, -20, -20, 10},
                                                              {1, 5, 10, 10, 5, -5},
                                                              {0, 0, 0, 0, 0, 1}}};
constexpr double scale = 1.0 / 120;

double value(int k, double u) {
  double sum = 0;
  for (int p = order - 1; p >= 0; --p) sum = sum * u + basis[k][p];
  return scale * sum;
}
double third(int k, double u) { return scale * (6 * basis[k][3] + u * (24 * basis[k][4] + u * 60 * basis[k][5])); }

// A symmetric matrix with five diagonals on either side, of which the lower half is kept.
struct Band {
  explicit Band(std::size_t n) : rows(n) {}
  std::vector<std::array<double, order>> rows;  // rows[i][j]: entry (i, i - j)
  void add(std::size_t i, std::size_t j, double a) { rows[std::max(i, j)][i > j ? i - j : j - i] += a; }
  void factor();  // L L^T
  void solve(std::vector<double>& b) const;
};

void Band::factor() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i < order ? 0 : i - order + 1; j <= i; ++j) {
      double sum = rows[i][i - j];
      for (std::size_t k = i < order ? 0 : i - order + 1; k < j; ++k) sum -= rows[i][i - k] * rows[j][j - k];
      rows[i][i - j] = i == j ? std::sqrt(sum) : sum / rows[j][0];
    }
  }
}

void Band::solve(std::vector<double>& b) const {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 1; j < order && j <= i; ++j) b[i] -= rows[i][j] * b[i - j];
    b[i] /= rows[i][0];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = 1; j < order && i + j < n; ++j) b[i] -= rows[i + j][j] * b[i + j];
    b[i] /= rows[i][0];
  }
}

// Integral of the product of third derivatives over a cell of length one; Gauss's three points are exact for it.
double bending(int a, int b) {
  static const double far = std::sqrt(0.15);
  return (5 * third(a, 0.5 - far) * third(b, 0.5 - far) + 8 * third(a, 0.5) * third(b, 0.5) +
          5 * third(a, 0.5 + far) * third(b, 0.5 + far)) /
         18;
}

void add_bending(Band& A, std::size_t cells, double weight) {
  for (int a = 0; a < order; ++a) {
    for (int b = 0; b <= a; ++b) {
      const double w = weight * bending(a, b);
      for (std::size_t k = 0; k < cells; ++k) A.add(k + a, k + b, w);
    }
  }
}

void add_point(Band& A, std::vector<double>& right, std::size_t cell, double u, double weight, double y) {
  std::array<double, order> f{};
  for (int a = 0; a < order; ++a) f[a] = value(a, u);
  for (int a = 0; a < order; ++a) {
    right[cell + a] += weight * f[a] * y;
    for (int b = 0; b <= a; ++b) A.rows[cell + a][a - b] += weight * f[a] * f[b];
  }
}

double length_of(std::span<const double> x, std::size_t i) {
  return (x[std::min(i + 1, x.size() - 1)] - x[i == 0 ? 0 : i - 1]) / 2;
}

std::array<double, order> powers_of(const std::vector<double>& c, std::size_t cell, double step) {
  std::array<double, order> out{};
  double power = scale;
  for (int p = 0; p < order; ++p, power /= step)
    for (int a = 0; a < order; ++a) out[p] += power * basis[a][p] * c[cell + a];
  return out;
}

}  // namespace

UniformQuintic smoothing_spline(std::span<const double> x, std::span<const double> y, double L) {
  assert(x.size() >= 4 && y.size() == x.size() && L > 0);
  const double span = x.back() - x.front();
  const auto cells = static_cast<std::size_t>(std::ceil(4 * span / L));
  const double step = span / static_cast<double>(cells);
  Band A(cells + order - 1);
  std::vector<double> c(cells + order - 1, 0.0);
  add_bending(A, cells, std::pow(L / (2 * std::numbers::pi * step), 6) * step);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = (x[i] - x.front()) / step;
    const auto cell = std::min(static_cast<std::size_t>(at), cells - 1);
    add_point(A, c, cell, at - static_cast<double>(cell), length_of(x, i), y[i]);
  }
  A.factor();
  A.solve(c);
  UniformQuintic out{x.front(), step};
  for (std::size_t k = 0; k < cells; ++k) out.cells.push_back(powers_of(c, k, step));
  return out;
}

}  // namespace skyhook
