// Rates that count as none. They are parts of the speeds of the model: those of its coordinates, or one unit.
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/problem/problem.h"

namespace skyhook::simulation {

inline double fastest(CSpan v) {
  double most = 1;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

// Of a contact that neither closes nor opens, of a coordinate that may stick.
inline double counts_as_none(CSpan v) { return 1e-10 * fastest(v); }
// Of a coordinate that others keep at rest: far above rounding, but less than what counts as none.
inline double rests_below(CSpan v) { return 1e-11 * fastest(v); }

}  // namespace skyhook::simulation
