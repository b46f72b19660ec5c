// The lowest modes of a large model, on its sparse matrices: no reduction to independent coordinates, no dense matrix.
//
// With displacements p and velocities w = lambda p the eigenvalues nearest to a shift s are the largest of the map
//
//   (a, b) -> (p, a + s p),   [s^2 M + s D + K   G^T] [p ]     [M b + (D + s M) a]
//                             [G                  0 ] [mu] = - [0                ]                            (12.13)
//
// with columns s M + D of inner states, which stand beside the velocities. It costs one sparse factorisation, and two triangular
// solutions a product (arnoldi.h).
#pragma once
#include "skyhook/analysis/modes.h"

namespace skyhook::analysis {

struct LargeOptions {
  int count = 20;    // modes
  double shift = 0;  // 1/s, real; 0: 1/s
};

// At rest, or in a given motion straight on in which no quaternion spins: else `problem` says so. Free motions are
// told by their size here, less than 1e-5 of the shift.
Modes find_lowest_modes(const simulation::Prepared& prepared, const OperatingPoint& at,
                        const LargeOptions& options = {});

}  // namespace skyhook::analysis
