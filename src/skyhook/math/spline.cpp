#include "skyhook/math/spline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/base/error.h"

namespace skyhook {

namespace {

using Numbers = std::vector<double>;
using CNumbers = std::span<const double>;

void check_points(CNumbers x, CNumbers y) {
  if (x.size() != y.size())
    throw ModelError({}, fmt::format("a curve has {} x values but {} y values.", x.size(), y.size()),
                     "Give as many y as x values.");
  if (x.size() < 2)
    throw ModelError({}, fmt::format("a curve needs at least 2 points; {} given.", x.size()), "Add points.");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw ModelError({}, fmt::format("row {} of a curve is not finite (x = {}, y = {}).", i + 1, x[i], y[i]),
                       "Give numbers.");
    if (i > 0 && !(x[i] > x[i - 1]))
      throw ModelError(
          {}, fmt::format("row {} of a curve has x = {}, not larger than x = {} of row {}.", i + 1, x[i], x[i - 1], i),
          "Sort the rows by x and remove repeated ones.");
  }
}

struct Intervals {
  Numbers h, rise;  // length and mean slope of each interval
};

Intervals intervals(CNumbers x, CNumbers y) {
  check_points(x, y);
  Intervals v;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    v.h.push_back(x[i + 1] - x[i]);
    v.rise.push_back((y[i + 1] - y[i]) / v.h[i]);
  }
  return v;
}

struct Tridiagonal {
  Numbers below, diagonal, above, right;
  explicit Tridiagonal(std::size_t n) : below(n), diagonal(n), above(n), right(n) {}
  // Without pivoting: the end rows of a spline leave dominant diagonals after the first elimination.
  Numbers solve() {
    const std::size_t n = right.size();
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = below[i] / diagonal[i - 1];
      diagonal[i] -= factor * above[i - 1];
      right[i] -= factor * right[i - 1];
    }
    for (std::size_t i = n; i-- > 0;) right[i] = (right[i] - (i + 1 < n ? above[i] * right[i + 1] : 0)) / diagonal[i];
    return right;
  }
};

void natural_ends(Tridiagonal& s, const Intervals& v) {
  const std::size_t e = v.h.size();
  s.diagonal[0] = s.diagonal[e] = 2;
  s.above[0] = s.below[e] = 1;
  s.right[0] = 3 * v.rise.front();
  s.right[e] = 3 * v.rise.back();
}

// De Boor, A Practical Guide to Splines, chapter IV: the condition with the neighbour's C2 row eliminated.
void not_a_knot_ends(Tridiagonal& s, const Intervals& v) {
  const std::size_t e = v.h.size();
  const auto end = [](double h, double next, double rise, double rise_next) {
    const double both = h + next;
    return ((h + 2 * both) * next * rise + h * h * rise_next) / both;
  };
  s.diagonal[0] = v.h[1];
  s.above[0] = v.h[0] + v.h[1];
  s.right[0] = end(v.h[0], v.h[1], v.rise[0], v.rise[1]);
  s.diagonal[e] = v.h[e - 2];
  s.below[e] = v.h[e - 1] + v.h[e - 2];
  s.right[e] = end(v.h[e - 1], v.h[e - 2], v.rise[e - 1], v.rise[e - 2]);
}

// Three points leave not-a-knot one condition short; the parabola is the natural meaning.
Numbers parabola_slopes(const Intervals& v) {
  const double curvature = (v.rise[1] - v.rise[0]) / (v.h[0] + v.h[1]);
  return {v.rise[0] - curvature * v.h[0], v.rise[0] + curvature * v.h[0], v.rise[1] + curvature * v.h[1]};
}

// The rows of a closed curve go round: their two corners are one rank-one change of a tridiagonal matrix (Sherman and Morrison).
Numbers periodic_slopes(const Intervals& v) {
  const std::size_t n = v.h.size();  // slopes; the last point is the first
  Tridiagonal s(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    s.below[i] = v.h[i];
    s.diagonal[i] = 2 * (v.h[before] + v.h[i]);
    s.above[i] = v.h[before];
    s.right[i] = 3 * (v.h[i] * v.rise[before] + v.h[before] * v.rise[i]);
  }
  const double gamma = -s.diagonal[0], corner_up = s.below[0], corner_down = s.above[n - 1];
  s.diagonal[0] -= gamma;
  s.diagonal[n - 1] -= corner_up * corner_down / gamma;
  Tridiagonal other = s;
  std::ranges::fill(other.right, 0.0);
  other.right[0] = gamma, other.right[n - 1] = corner_down;
  Numbers x = s.solve();
  const Numbers z = other.solve();
  const double factor = (x[0] + corner_up / gamma * x[n - 1]) / (1 + z[0] + corner_up / gamma * z[n - 1]);
  for (std::size_t i = 0; i < n; ++i) x[i] -= factor * z[i];
  x.push_back(x[0]);
  return x;
}

Numbers c2_slopes(CNumbers x, CNumbers y, SplineEnd end) {
  const Intervals v = intervals(x, y);
  const std::size_t n = x.size();
  if (end == SplineEnd::periodic && n > 3) return periodic_slopes(v);
  if (n == 2) return end == SplineEnd::at_rest ? Numbers{0, 0} : Numbers{v.rise[0], v.rise[0]};
  if (n == 3 && end == SplineEnd::not_a_knot) return parabola_slopes(v);
  Tridiagonal s(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {  // second derivative continuous at x_i
    s.below[i] = v.h[i];
    s.diagonal[i] = 2 * (v.h[i - 1] + v.h[i]);
    s.above[i] = v.h[i - 1];
    s.right[i] = 3 * (v.h[i] * v.rise[i - 1] + v.h[i - 1] * v.rise[i]);
  }
  if (end == SplineEnd::at_rest)
    s.diagonal.front() = s.diagonal.back() = 1;
  else
    end == SplineEnd::natural ? natural_ends(s, v) : not_a_knot_ends(s, v);
  return s.solve();
}

// One-sided three-point slope, cut back where it would break monotony of the end interval.
double monotone_end_slope(double h, double next, double rise, double rise_next) {
  const double slope = ((2 * h + next) * rise - h * rise_next) / (h + next);
  if (slope * rise <= 0) return 0;
  if (rise * rise_next <= 0 && std::abs(slope) > 3 * std::abs(rise)) return 3 * rise;
  return slope;
}

Numbers monotone_slopes(CNumbers x, CNumbers y) {
  const Intervals v = intervals(x, y);
  const std::size_t n = x.size();
  if (n == 2) return {v.rise[0], v.rise[0]};
  Numbers m(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (v.rise[i - 1] * v.rise[i] <= 0) continue;  // local extremum: flat
    const double w1 = 2 * v.h[i] + v.h[i - 1], w2 = v.h[i] + 2 * v.h[i - 1];
    m[i] = (w1 + w2) / (w1 / v.rise[i - 1] + w2 / v.rise[i]);
  }
  m[0] = monotone_end_slope(v.h[0], v.h[1], v.rise[0], v.rise[1]);
  m[n - 1] = monotone_end_slope(v.h[n - 2], v.h[n - 3], v.rise[n - 2], v.rise[n - 3]);
  return m;
}

}  // namespace

PiecewiseCubic::PiecewiseCubic(CNumbers x, CNumbers y, CNumbers slope, Continued continued) {
  const double goes_on = continued == Continued::straight ? 1 : 0;
  cells_.push_back({x.front(), y.front(), goes_on * slope.front(), 0, 0, 0});
  double area = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i], rise = (y[i + 1] - y[i]) / h, m0 = slope[i], m1 = slope[i + 1];
    cells_.push_back({x[i], y[i], m0, (3 * rise - 2 * m0 - m1) / h, (m0 + m1 - 2 * rise) / (h * h), area});
    area += h * ((y[i] + y[i + 1]) / 2 + h * (m0 - m1) / 12);
  }
  cells_.push_back({x.back(), y.back(), goes_on * slope.back(), 0, 0, area});
}

double PiecewiseCubic::begin_of(int piece) const {
  return piece == 0 ? -std::numeric_limits<double>::infinity() : cells_[static_cast<std::size_t>(piece)].x;
}
double PiecewiseCubic::end_of(int piece) const {
  return piece + 1 < pieces() ? cells_[static_cast<std::size_t>(piece) + 1].x : std::numeric_limits<double>::infinity();
}

const PiecewiseCubic::Cell& PiecewiseCubic::cell(double x) const {
  if (x < first()) return cells_.front();
  if (x > last()) return cells_.back();
  const auto above = std::upper_bound(cells_.begin() + 1, cells_.end() - 1, x,
                                      [](double value, const Cell& c) { return value < c.x; });
  return *(above - 1);
}

double PiecewiseCubic::derivative(double x) const {
  const Cell& c = cell(x);
  const double s = x - c.x;
  return c.b + s * (2 * c.c + s * 3 * c.d);
}

double PiecewiseCubic::second_derivative(double x) const {
  const Cell& c = cell(x);
  return 2 * c.c + 6 * c.d * (x - c.x);
}

double PiecewiseCubic::integral(double x) const {
  const Cell& c = cell(x);
  const double s = x - c.x;
  return c.area + s * (c.a + s * (c.b / 2 + s * (c.c / 3 + s * c.d / 4)));
}

CubicSpline::CubicSpline(CNumbers x, CNumbers y, SplineEnd end, Continued continued)
    : PiecewiseCubic(x, y, c2_slopes(x, y, end), continued) {}

MonotoneCubic::MonotoneCubic(CNumbers x, CNumbers y, Continued continued)
    : PiecewiseCubic(x, y, monotone_slopes(x, y), continued) {}

}  // namespace skyhook
