// Small motions that the constraints allow, in independent coordinates (docs/theory/12_linearisation.md). Displacements of velocity
// coordinates are T p: rotations in axes of the body that carries them instead of those that turn along (12.3), so that
// p' is the change of velocity as well. Of p some are independent, y, and
//
//   p = Z y,   p' = Z y' + Z' y,   p'' = Z y'' + 2 Z' y' + Z'' y                                              (12.6)
//
// with G T Z = 0. What belongs to inner states is not touched.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/linear_blocks.h"

namespace skyhook::analysis {

// T and T' of the rotations of a state.
class Turns {
 public:
  Turns(const simulation::Equations& eq, const formalism::State& state);
  DenseMatrix times_T(DenseMatrix a) const;            // a T
  DenseMatrix times_rate(const DenseMatrix& a) const;  // a T'
  DenseMatrix T_times(DenseMatrix a) const;            // T a
  DenseMatrix rate_times(const DenseMatrix& a) const;  // T' a
  DenseMatrix back(DenseMatrix a) const;               // T^T a

 private:
  struct Turn {
    int iv;
    Mat3d T, rate;
  };
  std::vector<Turn> turns_;
};

struct Tangent {
  std::vector<int> independent, dependent;  // velocity coordinates, ascending
  DenseMatrix Z, Z_rate, Z_curve;           // moving() x independent
  DenseMatrix Y;                            // Y^T (G + F)^T = 0: Z but for friction under load
  std::string problem;
};

// `b` in coordinates p. Z'' is found by central differences of the constraints at the level of accelerations, where something moves.
Tangent tangent_of(const simulation::Equations& eq, const OperatingPoint& at, const LinearBlocks& b,
                   const Turns& turns);

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
