#include "skyhook/element/rail/rolling_half_space.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skyhook::element::rail {
namespace {

// Of Cerruti: the relative displacement of two half-spaces at a point by unit tractions on a cell of half lengths a, b, whose middle is (x, y) behind it.
std::array<double, 3> displacement(double x, double y, double a, double b, const Elastic& material) {
  const auto part = [](double u, double v) { return u == 0.0 ? 0.0 : u * std::asinh(v / std::abs(u)); };
  double along = 0, across = 0,
         mixed = 0;  // integrals of x^2/r^3, y^2/r^3, xy/r^3; the first two add up to that of 1/r
  for (const double p : {-1.0, 1.0}) {
    for (const double q : {-1.0, 1.0}) {
      const double u = x + p * a, v = y + q * b;
      along += p * q * part(v, u), across += p * q * part(u, v), mixed -= p * q * std::hypot(u, v);
    }
  }
  const double nu = material.poisson, factor = 1 / (std::numbers::pi * material.shear),
               both = (1 - nu) * (along + across);
  return {factor * (both + nu * along), factor * nu * mixed, factor * (both + nu * across)};
}

}  // namespace

RollingHalfSpace::RollingHalfSpace(const GapGrid& grid, const Elastic& material, const RollingRule& rule)
    : grid_(grid), rule_(rule), whole_(shifts(1, material)), leading_(shifts(rule.edge, material)) {}

RollingHalfSpace::Shift RollingHalfSpace::shifts(double part, const Elastic& material) const {
  const GapGrid& g = grid_;
  Shift out{part, {}};
  for (int k = 1 - g.ny; k < g.ny; ++k) {
    for (int i = 1 - g.nx; i < g.nx; ++i) {
      const auto now = displacement(i * g.dx, k * g.dy, g.dx / 2, g.dy / 2, material),
                 before = displacement((i + part) * g.dx, k * g.dy, g.dx / 2, g.dy / 2, material);
      for (std::size_t m = 0; m < 3; ++m) out.table[m].push_back(now[m] - before[m]);
    }
  }
  return out;
}

// One pass over all cells, each strip from its leading edge on: the traction of a cell is the one with which it does not slide under the others, or that of friction against its slip.
struct RollingHalfSpace::Sweep {
  const RollingHalfSpace& of;
  const HalfSpaceContact& contact;
  double scale;
  const Creep<double>& creep;
  Tractions& t;
  double relax;
  std::vector<std::array<int, 2>> reach;  // first and last cell that presses, of each strip

  Sweep(const RollingHalfSpace& space, const HalfSpaceContact& at, double factor, const Creep<double>& c,
        Tractions& tractions)
      : of(space), contact(at), scale(factor), creep(c), t(tractions), relax(0.7) {
    const GapGrid& g = of.grid_;
    for (int k = 0; k < g.ny; ++k) {
      reach.push_back({g.nx, -1});
      for (int i = 0; i < g.nx; ++i)
        if (presses(i, k)) reach.back() = {std::min(reach.back()[0], i), i};
    }
  }
  std::size_t cell(int i, int k) const { return static_cast<std::size_t>(i + k * of.grid_.nx); }
  bool presses(int i, int k) const { return i < of.grid_.nx && contact.pressure[cell(i, k)] > 0; }

  // How far the cell would slide, rigid bodies and all tractions together.
  std::array<double, 2> slip(const Shift& from, int i, int k) const {
    const GapGrid& g = of.grid_;
    const double way = from.part * g.dx, x = g.x(i) + of.rule_.ahead * way - contact.x, y = g.y(k) - contact.y;
    double sx = (creep.x - creep.spin * y) * way, sy = (creep.y + creep.spin * x) * way;
    const int width = 2 * g.nx - 1;
    for (int m = 0; m < g.ny; ++m) {
      const auto [first, last] = reach[static_cast<std::size_t>(m)];
      const int row = (k - m + g.ny - 1) * width + g.nx - 1 + i;
      for (int j = first; j <= last; ++j) {
        const auto at = static_cast<std::size_t>(row - j);
        const double px = t.x[cell(j, m)], py = t.y[cell(j, m)], mixed = from.table[1][at];
        sx += from.table[0][at] * px + mixed * py, sy += mixed * px + from.table[2][at] * py;
      }
    }
    return {sx, sy};
  }
  // The traction p of the size `bound` with A p + r along -p, A diagonal: p = -(A + l)^-1 r by Newton's method for l.
  static std::array<double, 2> sliding(double ax, double ay, double rx, double ry, double bound) {
    double l = 0;
    for (int pass = 0; pass < 50; ++pass) {
      const double px = rx / (ax + l), py = ry / (ay + l), size = std::hypot(px, py);
      const double slope = (px * px / (ax + l) + py * py / (ay + l)) / size;
      const double step = size * (size - bound) / (bound * slope);  // for 1/size, which is nearly linear in l
      l = std::max(0.0, l + step);
      if (std::abs(step) < 1e-13 * (ax + l)) break;
    }
    const double px = -rx / (ax + l), py = -ry / (ay + l), size = std::hypot(px, py);
    return {px * bound / size, py * bound / size};
  }
  double visit(int i, int k) {
    const std::size_t c = cell(i, k);
    const Shift& from = presses(i + 1, k) ? of.whole_ : of.leading_;
    const auto here = static_cast<std::size_t>((of.grid_.ny - 1) * (2 * of.grid_.nx - 1) + of.grid_.nx - 1);
    const double ax = from.table[0][here], ay = from.table[2][here],
                 bound = creep.friction * scale * contact.pressure[c];
    const auto [sx, sy] = slip(from, i, k);
    const double rx = sx - ax * t.x[c], ry = sy - ay * t.y[c];
    std::array<double, 2> p{-rx / ax, -ry / ay};
    t.slides[c] = std::hypot(p[0], p[1]) > bound;
    if (t.slides[c]) p = sliding(ax, ay, rx, ry, bound);
    const double dx = relax * (p[0] - t.x[c]), dy = relax * (p[1] - t.y[c]);
    t.x[c] += dx, t.y[c] += dy;
    return std::hypot(dx, dy);
  }
  void run() {
    double change = 0, sum = 0;
    for (int k = 0; k < of.grid_.ny; ++k) {
      const auto [first, last] = reach[static_cast<std::size_t>(k)];
      for (int i = last; i >= first; --i) {
        if (!presses(i, k)) continue;
        change += visit(i, k);
        sum += std::hypot(t.x[cell(i, k)], t.y[cell(i, k)]);
      }
    }
    t.change = sum > 0 ? change / sum : 0.0;
  }
};

CreepForce<double> RollingHalfSpace::force(const HalfSpaceContact& contact, double scale, const Creep<double>& creep,
                                           Tractions& t) const {
  const std::size_t n = contact.pressure.size();
  if (t.x.size() != n) t.x.assign(n, 0.0), t.y.assign(n, 0.0), t.slides.assign(n, 0);
  Sweep sweep(*this, contact, scale, creep, t);
  constexpr double enough = 1e-6;
  t.is_found = false;
  for (t.sweeps = 1; t.sweeps <= 400 && !t.is_found; ++t.sweeps) {
    sweep.run();
    t.is_found = t.change < enough * sweep.relax;
    if (t.sweeps % 50 == 0) sweep.relax *= 0.6;  // wide cells couple neighbours so much that whole steps overshoot
  }
  CreepForce<double> sum{0, 0, 0};
  const double area = grid_.dx * grid_.dy;
  for (int k = 0; k < grid_.ny; ++k) {
    for (int i = 0; i < grid_.nx; ++i) {
      const std::size_t c = sweep.cell(i, k);
      const double x = grid_.x(i) - contact.x, y = grid_.y(k) - contact.y;
      sum.x += t.x[c] * area, sum.y += t.y[c] * area, sum.moment += (x * t.y[c] - y * t.x[c]) * area;
    }
  }
  return sum;
}

}  // namespace skyhook::element::rail
