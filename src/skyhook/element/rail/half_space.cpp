#include "skyhook/element/rail/half_space.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skyhook::element::rail {
namespace {

// Integral of 1/r over a cell of half lengths a, b whose middle is at (x, y) from the point.
double love(double x, double y, double a, double b) {
  const auto part = [](double u, double v, double w) {  // u ln((v + |(u, v)|)/(w + |(u, w)|))
    return u * std::log((v + std::hypot(u, v)) / (w + std::hypot(u, w)));
  };
  return part(x + a, y + b, y - b) + part(y + b, x + a, x - a) + part(x - a, y - b, y + b) + part(y - b, x - a, x + a);
}

// Displacements by pressures, of cells on one grid: a table over distances.
struct Influence {
  Influence(const GapGrid& g, const Elastic& material)
      : grid(g), nx(g.nx), ny(g.ny), table(static_cast<std::size_t>(g.nx * g.ny)) {
    const double factor = 1 / (std::numbers::pi * material.effective());
    for (int k = 0; k < ny; ++k)
      for (int i = 0; i < nx; ++i)
        table[static_cast<std::size_t>(i + k * nx)] = factor * love(i * g.dx, k * g.dy, g.dx / 2, g.dy / 2);
  }
  // Only where `from` is not zero.
  void apply(const std::vector<double>& from, std::vector<double>& to) const {
    std::ranges::fill(to, 0.0);
    for (int k = 0; k < ny; ++k) {
      for (int i = 0; i < nx; ++i) {
        const double q = from[static_cast<std::size_t>(i + k * nx)];
        if (q == 0.0) continue;
        for (int m = 0; m < ny; ++m) {
          const double p = q * grid.between(k, m);
          const double* row = &table[static_cast<std::size_t>(std::abs(m - k) * nx)];
          double* out = &to[static_cast<std::size_t>(m * nx)];
          for (int j = 0; j < i; ++j) out[j] += p * row[i - j];
          for (int j = i; j < nx; ++j) out[j] += p * row[j - i];
        }
      }
    }
  }
  const GapGrid& grid;
  int nx, ny;
  std::vector<double> table;
};

struct Search {
  Search(const GapGrid& g, double total, const Elastic& material)
      : grid(g), A(g, material), load(total), cell(g.dx * g.dy), n(g.gap.size()), p(n), t(n, 0.0), r(n), gap(n) {
    start(material);
  }
  const GapGrid& grid;
  Influence A;
  double load, cell, mean = 0, size_before = 1, conjugate = 0;
  std::size_t n;
  std::vector<double> p, t, r, gap;

  // On the lowest part of the gap.
  void start(const Elastic&) {
    std::vector<double> sorted = grid.gap;
    const std::size_t part = n / 3;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(part));
    for (std::size_t c = 0; c < n; ++c) p[c] = grid.gap[c] <= sorted[part] ? 1.0 : 0.0;
    balance();
  }
  void balance() {
    double sum = 0;
    for (const double q : p) sum += q;
    for (double& q : p) q *= load / (sum * cell);
  }
  // Of values at cells that press.
  double mean_of(const std::vector<double>& values) const {
    double sum = 0;
    long count = 0;
    for (std::size_t c = 0; c < n; ++c)
      if (p[c] > 0) sum += values[c], ++count;
    return sum / static_cast<double>(count);
  }
  // One step; how much the pressures have changed, over the load.
  double step();
};

double Search::step() {
  A.apply(p, gap);
  for (std::size_t c = 0; c < n; ++c) gap[c] += grid.gap[c];
  mean = mean_of(gap);
  double size = 0;
  for (std::size_t c = 0; c < n; ++c) {
    gap[c] -= mean;
    if (p[c] > 0) size += gap[c] * gap[c];
  }
  for (std::size_t c = 0; c < n; ++c) t[c] = p[c] > 0 ? gap[c] + conjugate * size / size_before * t[c] : 0.0;
  size_before = size;
  A.apply(t, r);
  const double shift = mean_of(r);
  double up = 0, down = 0;
  for (std::size_t c = 0; c < n; ++c)
    if (p[c] > 0) up += gap[c] * t[c], down += (r[c] - shift) * t[c];
  const double tau = up / down;
  const std::vector<double> before = p;
  conjugate = 1;
  for (std::size_t c = 0; c < n; ++c) {
    if (p[c] > 0)
      p[c] = std::max(0.0, p[c] - tau * t[c]);
    else if (gap[c] < 0)
      p[c] = -tau * gap[c], conjugate = 0;
  }
  balance();
  double change = 0;
  for (std::size_t c = 0; c < n; ++c) change += std::abs(p[c] - before[c]);
  return change * cell / load;
}

// Sums over the cells that press.
void measure(const GapGrid& g, const std::vector<double>& p, HalfSpaceContact& out) {
  double sum = 0, x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
  int last = g.ny;  // strip that touches
  for (int k = 0; k < g.ny; ++k) {
    for (int i = 0; i < g.nx; ++i) {
      const double q = p[static_cast<std::size_t>(i + k * g.nx)];
      if (!(q > 0)) continue;
      out.has_pieces |= k > last + 1;
      last = k;
      sum += q, out.x += q * g.x(i), out.y += q * g.y(k);
      out.area += g.dx * g.dy;
      out.largest = std::max(out.largest, q);
      x_low = std::min(x_low, g.x(i)), x_high = std::max(x_high, g.x(i));
      y_low = std::min(y_low, g.y(k)), y_high = std::max(y_high, g.y(k));
      out.touches_edge |= i == 0 || k == 0 || i == g.nx - 1 || k == g.ny - 1;
    }
  }
  out.x /= sum, out.y /= sum;
  out.length = x_high - x_low + g.dx, out.width = y_high - y_low + g.dy;
}

}  // namespace

HalfSpaceContact solve_half_space(const GapGrid& grid, double load, const Elastic& material) {
  Search search(grid, load, material);
  HalfSpaceContact out;
  while (out.iterations < 300 && !out.is_found) {
    ++out.iterations;
    out.is_found = search.step() < 1e-7;
  }
  out.pressure = search.p;
  out.approach = search.mean;
  measure(grid, search.p, out);
  return out;
}

}  // namespace skyhook::element::rail
