// Small motions that the constraints allow, in independent coordinates (docs/theory/12_linearisation.md). Of the coordinates p in moving axes
// some are independent, y, and
//
//   p = Z y,   p' = Z y' + Z' y,   p'' = Z y'' + 2 Z' y' + Z'' y                                              (12.6)
//
// with G T Z = 0. What belongs to inner states is not touched.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/moving_axes.h"

namespace skyhook::analysis {

struct Tangent {
  std::vector<int> independent, dependent;  // velocity coordinates, ascending
  DenseMatrix Z, Z_rate, Z_curve;           // moving() x independent
  DenseMatrix Y;                            // Y^T (G + F)^T = 0: Z but for friction under load
  std::string problem;
};

// `b` in coordinates p. Z'' is found by central differences of the constraints at the level of accelerations, where something moves.
Tangent tangent_of(const simulation::Equations& eq, const OperatingPoint& at, const LinearBlocks& b,
                   const MovingAxes& axes);

// Dependent part x_d of what the constraints ask for: G_d x_d = right, all else zero.
class DependentPart {
 public:
  DependentPart(const DenseMatrix& G, const Tangent& tangent);
  Vector solve(const Vector& right) const;

 private:
  LeastNorm factors_;
  std::vector<int> dependent_;
  int size_;
};

// d/de of G a + gII along q + e dq, v + e dv, a + e da, u + e du, by central differences of fourth order.
Vector change_of_acceleration_rows(const simulation::Equations& eq, const OperatingPoint& at, const Vector& dq,
                                   const Vector& dv, const Vector& da, const Vector& du);

}  // namespace skyhook::analysis
