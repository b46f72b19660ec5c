#include "skyhook/math/quintic_spline.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "skyhook/math/klu.h"

namespace skyhook {
namespace {

// One condition on the slopes and curvatures of two points, which are unknowns 2 k and 2 k + 1 of point k.
struct Entry {
  int row, column;
  double value;
};

// Third (order 0) or fourth (order 1) derivative at the left or right end of a piece of length h with ends i and j, times h^3 or h^4; the part
// with the values is taken to the other side. Curvatures are counted in h^2, slopes in h, of this piece.
void add_end(int row, int order, bool right, double sign, double h, double rise, int i, int j,
             std::vector<Entry>& entries, std::vector<double>& b) {
  static constexpr double of[2][2][5] = {{{60, -36, -24, -9, 3}, {60, -24, -36, -3, 9}},
                                         {{-360, 192, 168, 36, -24}, {360, -168, -192, -24, 36}}};
  const double* const c = of[order][right];
  const double power = sign / (order == 0 ? h * h * h : h * h * h * h);
  entries.push_back({row, 2 * i, power * c[1] * h});
  entries.push_back({row, 2 * j, power * c[2] * h});
  entries.push_back({row, 2 * i + 1, power * c[3] * h * h});
  entries.push_back({row, 2 * j + 1, power * c[4] * h * h});
  b[static_cast<std::size_t>(row)] -= power * c[0] * rise;
}

std::vector<double> solve(const std::vector<Entry>& entries, std::vector<double> b) {
  const int n = static_cast<int>(b.size());
  PatternBuilder builder(n, n);
  for (const Entry& e : entries) builder.add(e.row, e.column);
  Csc A(std::make_shared<const Pattern>(builder.build()));
  for (const Entry& e : entries) A.value[static_cast<std::size_t>(A.pattern->find(e.row, e.column))] += e.value;
  Klu klu(A.pattern);
  [[maybe_unused]] const bool regular = klu.factor(A.value);
  assert(regular);
  klu.solve_refined(b);
  return b;
}

}  // namespace

QuinticSpline::QuinticSpline(std::span<const double> x, std::span<const double> y, bool periodic) {
  const int pieces = static_cast<int>(x.size()) - 1, points = periodic ? pieces : pieces + 1;
  assert(pieces >= (periodic ? 3 : 2) && y.size() == x.size());
  const auto h = [&](int k) { return x[static_cast<std::size_t>(k) + 1] - x[static_cast<std::size_t>(k)]; };
  const auto rise = [&](int k) { return y[static_cast<std::size_t>(k) + 1] - y[static_cast<std::size_t>(k)]; };
  std::vector<Entry> entries;
  std::vector<double> b(2 * static_cast<std::size_t>(points), 0.0);
  for (int k = 0; k < points; ++k) {
    for (int order = 0; order < 2; ++order) {
      const int before = periodic ? (k + pieces - 1) % pieces : k - 1;
      if (before >= 0) add_end(2 * k + order, order, true, 1, h(before), rise(before), before, k, entries, b);
      if (k < pieces) add_end(2 * k + order, order, false, -1, h(k), rise(k), k, (k + 1) % points, entries, b);
    }
  }
  const std::vector<double> u = solve(entries, std::move(b));
  for (int k = 0; k < pieces; ++k) {
    const int j = (k + 1) % points;
    const double l = h(k), d0 = u[2 * k] * l, d1 = u[2 * j] * l, c0 = u[2 * k + 1] * l * l, c1 = u[2 * j + 1] * l * l;
    const double r = rise(k);
    Piece p{x[static_cast<std::size_t>(k)],
            {y[static_cast<std::size_t>(k)], d0, c0 / 2, 10 * r - 6 * d0 - 4 * d1 - 1.5 * c0 + 0.5 * c1,
             -15 * r + 8 * d0 + 7 * d1 + 1.5 * c0 - c1, 6 * r - 3 * d0 - 3 * d1 - 0.5 * c0 + 0.5 * c1}};
    double power = 1;
    for (double& c : p.c) c /= power, power *= l;
    pieces_.push_back(p);
  }
}

const QuinticSpline::Piece& QuinticSpline::piece(double x) const {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), x, [](double a, const Piece& p) { return a < p.x; });
  return after == pieces_.begin() ? pieces_.front() : *(after - 1);
}

}  // namespace skyhook
