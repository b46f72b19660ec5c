// What rounding leaves of residuals: each is the sum of terms of the size |dF/dy| |y| and |dF/dy'| |y'|, which are known to one unit
// in the last place. Solving for it as for a residual tells how far rounding alone moves the unknowns: no step, however short,
// makes less of it, and tests of convergence and of errors are to ask for no more.
#pragma once
#include <cmath>
#include <limits>
#include <random>

#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

// Measured residuals may be this many times as large: functions round more than once.
constexpr double most_roundings = 10;

// Into F, the signs at random but the same in each call; `sign` goes on where several residuals are made.
inline void residual_of_rounding(const Structure& structure, const Csc& dF_dy, const Csc& dF_dyp, const Point& point,
                                 Span F, std::minstd_rand& sign) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Pattern& pattern = *structure.pattern;
  std::fill(F.begin(), F.end(), 0.0);
  for (std::size_t j = 0; j < point.y.size(); ++j) {
    const double size = std::abs(point.y[j]) + structure.y[j].nominal, rate = std::abs(point.yp[j]);
    for (int at = pattern.start[j]; at < pattern.start[j + 1]; ++at)
      F[pattern.row[at]] += std::abs(dF_dy.value[at]) * size + std::abs(dF_dyp.value[at]) * rate;
  }
  for (double& f : F) f *= sign() % 2 == 0 ? epsilon : -epsilon;
}

}  // namespace skyhook::integrator
