// Motions that nothing resists: where a linear system has static solutions, and how many of its eigenvalues are zero. These stand in
// blocks of Jordan's form, from which an eigensolver finds them as +-1e-8 of the largest: so they are counted by ranks instead
// (docs/theory/12_linearisation.md).
#pragma once
#include <vector>

#include "skyhook/analysis/linearisation.h"

namespace skyhook::analysis {

struct FreeMotions {
  std::vector<Vector> shapes;  // (y, c) of each
  int zeros = 0;               // eigenvalues: one or two for each
};
FreeMotions find_free_motions(const simulation::Equations& eq, const Linearisation& linear);

// Columns of N combined so that each has a coordinate to itself, 1 there and 0 in the others: "the car along x", not a mixture. These coordinates.
std::vector<int> own_coordinates(DenseMatrix& N);

}  // namespace skyhook::analysis
