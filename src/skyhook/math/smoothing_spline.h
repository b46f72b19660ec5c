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

// Of several functions at the same x, which are kept by their address: strictly increasing, at least four points, L positive. Cells are a quarter of L long, or shorter, so that
// they end at the last point.
class SmoothingSplines {
 public:
  SmoothingSplines(std::span<const double> x, double L);
  UniformQuintic near(std::span<const double> y) const;

 private:
  // A symmetric matrix with five diagonals on either side, of which the lower half is kept.
  struct Band {
    explicit Band(std::size_t n) : rows(n) {}
    std::vector<std::array<double, 6>> rows;  // rows[i][j]: entry (i, i - j)
    void add(std::size_t i, std::size_t j, double a) { rows[i > j ? i : j][i > j ? i - j : j - i] += a; }
    void factor();  // L L^T
    void solve(std::vector<double>& b) const;
  };
  // A point: its cell, and what the six splines that live there are at it.
  struct Row {
    std::size_t cell;
    std::array<double, 6> f;
  };
  Row row(std::size_t point) const;
  void add_bending(double weight);

  std::span<const double> x_;
  std::size_t cells_;
  double step_;
  Band A_;
};

UniformQuintic smoothing_spline(std::span<const double> x, std::span<const double> y, double L);

}  // namespace skyhook
