// A smooth curve near points: of all curves the one for which
//
//   sum w_i (f(x_i) - y_i)^2 + (L / 2 pi)^6 integral f'''^2 dx
//
// is least, w_i being the length that a point stands for. Seen as a filter it passes a wave of length l with the factor 1/(1 + (L/l)^6): half of
// one of length L, 98.5 % of one of length 2 L, 1.5 % of one of length L/2. Parabolas pass as they are.
//
// It is a sum of quintic B-splines on equal cells, so that it has four continuous derivatives.
#pragma once
#include <array>
#include <span>
#include <vector>

namespace skyhook {

struct UniformQuintic {
  double first = 0, step = 1;                  // where its cells begin, and their length
  std::vector<std::array<double, 6>> cells{};  // coefficients of the powers of x - (first + k step)
};

// x strictly increasing, at least four points, L positive. Cells are a quarter of L long, or shorter, so that they end at the last point.
UniformQuintic smoothing_spline(std::span<const double> x, std::span<const double> y, double L);

}  // namespace skyhook
