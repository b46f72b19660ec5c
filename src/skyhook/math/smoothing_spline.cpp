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

// Integral of the product of third derivatives over a cell of length one; Gauss's three points are exact for it.
double bending(int a, int b) {
  static const double far = std::sqrt(0.15);
  return (5 * third(a, 0.5 - far) * third(b, 0.5 - far) + 8 * third(a, 0.5) * third(b, 0.5) +
          5 * third(a, 0.5 + far) * third(b, 0.5 + far)) /
         18;
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

void SmoothingSplines::Band::factor() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i < order ? 0 : i - order + 1; j <= i; ++j) {
      double sum = rows[i][i - j];
      for (std::size_t k = i < order ? 0 : i - order + 1; k < j; ++k) sum -= rows[i][i - k] * rows[j][j - k];
      rows[i][i - j] = i == j ? std::sqrt(sum) : sum / rows[j][0];
    }
  }
}

void SmoothingSplines::Band::solve(std::vector<double>& b) const {
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

void SmoothingSplines::add_bending(double weight) {
  for (std::size_t a = 0; a < order; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const double w = weight * bending(static_cast<int>(a), static_cast<int>(b));
      for (std::size_t k = 0; k < cells_; ++k) A_.add(k + a, k + b, w);
    }
  }
}

SmoothingSplines::Row SmoothingSplines::row(std::size_t point) const {
  const double at = (x_[point] - x_.front()) / step_;
  Row out{std::min(static_cast<std::size_t>(at), cells_ - 1), {}};
  for (int a = 0; a < order; ++a) out.f[static_cast<std::size_t>(a)] = value(a, at - static_cast<double>(out.cell));
  return out;
}

SmoothingSplines::SmoothingSplines(std::span<const double> x, double L)
    : x_(x),
      cells_(static_cast<std::size_t>(std::ceil(4 * (x.back() - x.front()) / L))),
      step_((x.back() - x.front()) / static_cast<double>(cells_)),
      A_(cells_ + order - 1) {
  assert(x.size() >= 4 && L > 0);
  add_bending(std::pow(L / (2 * std::numbers::pi * step_), 6) * step_);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto [cell, f] = row(i);
    const double weight = length_of(x, i);
    for (std::size_t a = 0; a < order; ++a) {
      for (std::size_t b = 0; b <= a; ++b) A_.rows[cell + a][a - b] += weight * f[a] * f[b];
    }
  }
  A_.factor();
}

UniformQuintic SmoothingSplines::near(std::span<const double> y) const {
  assert(y.size() == x_.size());
  std::vector<double> c(cells_ + order - 1, 0.0);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto [cell, f] = row(i);
    const double weight = length_of(x_, i);
    for (std::size_t a = 0; a < order; ++a) c[cell + a] += weight * f[a] * y[i];
  }
  A_.solve(c);
  UniformQuintic out{x_.front(), step_};
  for (std::size_t k = 0; k < cells_; ++k) out.cells.push_back(powers_of(c, k, step_));
  return out;
}

UniformQuintic smoothing_spline(std::span<const double> x, std::span<const double> y, double L) {
  return SmoothingSplines(x, L).near(y);
}

}  // namespace skyhook
