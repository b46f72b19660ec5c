// Accelerations and multipliers where the constraints are dependent and LU has no digits left.
#pragma once
#include "skyhook/formalism/evaluation.h"
#include "skyhook/math/csc.h"

namespace skyhook::formalism {

// Solves [M G^T; G 0] x = right in place: the solution of least size, of many unknowns one of them. False: there is none, the constraints contradict each other.
bool solve_singular(const Csc& matrix, const Csc& jacobian, Span x);

}  // namespace skyhook::formalism
