// IDA as SUNDIALS delivers it, with its own vectors, sparse matrix and KLU interface: what our wrapping of it is measured by.
#pragma once
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::bench {

struct PlainIdaRun {
  double seconds = 0;
  long steps = 0, residuals = 0, jacobians = 0, factorisations = 0;
};
// From (y, y') at t = 0, all variables in the error test.
PlainIdaRun plain_ida(const DaeProblem& problem, const std::vector<double>& y, const std::vector<double>& yp,
                      double until, double relative_tolerance, double absolute_tolerance);

}  // namespace skyhook::bench
