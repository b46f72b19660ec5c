// The linear complementarity problem
//
//   w = M z + q,   w >= 0,   z >= 0,   w . z = 0
//
// by Lemke's method with the lexicographic rule, which does not cycle. It finds a solution wherever there is one if M is positive
// semidefinite or a P-matrix (Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, chapter 4). Dense: for a handful of
// contacts.
#pragma once
#include "skyhook/math/dense.h"

namespace skyhook {

struct Complementarity {
  bool ok = false;  // else no solution was found
  Vector z, w;
  int pivots = 0;
};

Complementarity solve_complementarity(const DenseMatrix& M, const Vector& q);

}  // namespace skyhook
