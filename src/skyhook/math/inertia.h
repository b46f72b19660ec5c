// How many eigenvalues of a large symmetric matrix are negative: the signs of D in P A P^T = L D L^T (Sylvester's law of inertia).
#pragma once
#include <optional>

#include "skyhook/math/csc.h"

namespace skyhook {

// `a` has all entries, those above the diagonal too. No pivots are chosen: nullopt where one vanishes, and a matrix that is nearly
// singular may be judged wrongly. Whoever shifts it, A - s M, counts the eigenvalues below s.
std::optional<int> negative_eigenvalues(const Csc& a);

}  // namespace skyhook
