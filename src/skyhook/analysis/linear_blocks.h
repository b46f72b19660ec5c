// The derivatives of the equations of motion at one point, as dense matrices in velocity (tangent) coordinates:
//
//   M a - f + G^T lambda  by q, v, a and lambda:  K, D, M and G^T + F^T;   g by q: G;   G v + gI by q: W
//
// F is there where friction depends on constraint forces. By two routes: exact, or by central differences of the residual in
// groups of columns ([Arnold 2004] §2).
#pragma once
#include <string>

#include "skyhook/analysis/operating_point.h"
#include "skyhook/math/dense.h"

namespace skyhook::analysis {

struct LinearBlocks {
  DenseMatrix K, D, M, G, W, F;
  std::string problem;   // why there are none; empty: there are
  long evaluations = 0;  // of the residual
};

LinearBlocks exact_blocks(const simulation::Equations& eq, const OperatingPoint& at);
LinearBlocks difference_blocks(const simulation::Equations& eq, const OperatingPoint& at);

}  // namespace skyhook::analysis
