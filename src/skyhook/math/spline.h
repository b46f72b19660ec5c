// Piecewise cubic curves through points: C2 splines for drives, monotone C1 curves for force tables.
#pragma once
#include <span>
#include <vector>

#include "skyhook/math/dual.h"

namespace skyhook {

// What follows left of the first and right of the last point.
enum class Continued {
  straight,  // a line with the end slope: value and first derivative stay continuous, the second jumps to zero
  level,     // the end value: the first derivative jumps to zero
};

// y(x) through given points with given slopes, continued beyond its ends.
class PiecewiseCubic {
 public:
  // Any scalar; derivatives of a Dual are those of the polynomial piece that holds x. At an end point: the inner piece.
  template <class T>
  T evaluate(const T& x) const {
    return polynomial(cell(value_of(x)), x);
  }
  double operator()(double x) const { return evaluate(x); }
  // The polynomials one by one, for laws that are held beyond their ends: 0 is the line on the left, then one for each
  // interval, and the last one the line on the right.
  int pieces() const { return static_cast<int>(cells_.size()); }
  int piece_at(double x) const { return static_cast<int>(&cell(x) - cells_.data()); }
  double begin_of(int piece) const;  // minus infinity for the first
  double end_of(int piece) const;
  template <class T>
  T evaluate_piece(int piece, const T& x) const {
    return polynomial(cells_[static_cast<std::size_t>(piece)], x);
  }
  double derivative(double x) const;
  double second_derivative(double x) const;
  // ∫ y dx from the first point to x, exact, the continued lines included (negative direction: signed).
  double integral(double x) const;

  double first() const { return cells_.front().x; }
  double last() const { return cells_.back().x; }

 protected:
  // x strictly increasing (at least two), else ModelError naming the row (rows count from 1).
  PiecewiseCubic(std::span<const double> x, std::span<const double> y, std::span<const double> slope,
                 Continued continued);

 private:
  struct Cell {
    double x, a, b, c, d;  // a + b s + c s² + d s³ with s = X - x
    double area;           // integral from the first point to x
  };
  template <class T>
  static T polynomial(const Cell& c, const T& x) {
    const T s = x - T(c.x);
    return T(c.a) + s * (T(c.b) + s * (T(c.c) + s * T(c.d)));
  }
  const Cell& cell(double x) const;
  std::vector<Cell> cells_;  // line on the left, one for each interval, line on the right
};

enum class SplineEnd {
  not_a_knot,  // third derivative continuous at the second and last but one point: exact for cubics
  natural,     // second derivative zero at the ends: C2 into the straight continuation too
  at_rest,     // first derivative zero at the ends: C1 into the level continuation too
  periodic,    // the last point is the first one again, and the curve goes on as it began: at least four points
};

// C2 interpolation; error O(h⁴). With two points a line, with three and not_a_knot the parabola.
class CubicSpline : public PiecewiseCubic {
 public:
  CubicSpline(std::span<const double> x, std::span<const double> y, SplineEnd end = SplineEnd::not_a_knot,
              Continued continued = Continued::straight);
};

// C1 interpolation that overshoots nowhere: monotone between any two points as the data are. Slopes by the weighted
// harmonic mean (Fritsch and Butland 1984, SIAM J. Sci. Stat. Comput. 5(2); "PCHIP").
class MonotoneCubic : public PiecewiseCubic {
 public:
  MonotoneCubic(std::span<const double> x, std::span<const double> y, Continued continued = Continued::straight);
};

}  // namespace skyhook
