// Axes in which small motions of a steady motion have constant matrices: rotations in axes of the body that carries them instead of those
// that turn along, and all that floats in axes that go round with a steady curve (docs/theory/12_linearisation.md). With p of these
// axes in place of velocity coordinates
//
//   dq = T p,   dv = T p' + U p,   da = T p'' + V p' + C p                                                   (12.3)
#pragma once
#include <vector>

#include "skyhook/analysis/linear_blocks.h"

namespace skyhook::analysis {

class MovingAxes {
 public:
  MovingAxes(const simulation::Equations& eq, const OperatingPoint& at);

  struct Block {  // of three coordinates from iv on; of all others T = 1 and the rest is 0
    int iv;
    Mat3d T, U, V, C;
  };
  using Part = Mat3d Block::*;
  DenseMatrix times(const DenseMatrix& a, Part part) const;  // a U, a V or a C
  DenseMatrix times(Part part, const DenseMatrix& a) const;  // U a, V a or C a
  DenseMatrix times_T(DenseMatrix a) const;                  // a T
  DenseMatrix T_times(DenseMatrix a) const;                  // T a
  DenseMatrix back(DenseMatrix a) const;                     // T^T a, which is the inverse

  LinearBlocks blocks(const LinearBlocks& b) const;  // in p (12.4)

 private:
  std::vector<Block> blocks_;
};

// a + factor b
DenseMatrix sum(DenseMatrix a, const DenseMatrix& b, double factor = 1);

}  // namespace skyhook::analysis
