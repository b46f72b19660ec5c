// Backward Euler with steps given by the caller and Newton to rounding: for tests of what a constraint does to a method.
#pragma once
#include <vector>

#include "skyhook/math/dense.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formulation::testing {

// y at t becomes y at t + h.
inline void backward_euler_step(const DaeProblem& problem, double t, double h, std::vector<double>& y) {
  const std::vector<double> before = y;
  const int n = problem.structure().size();
  std::vector<double> yp(y.size()), F(y.size());
  Csc dF_dy(problem.structure().pattern), dF_dyp(dF_dy);
  auto workspace = problem.workspace();
  for (int iteration = 0; iteration < 6; ++iteration) {
    for (std::size_t i = 0; i < y.size(); ++i) yp[i] = (y[i] - before[i]) / h;
    problem.residual({t + h, y, yp}, F, *workspace);
    problem.derivatives({t + h, y, yp}, dF_dy, dF_dyp, *workspace);
    DenseMatrix matrix(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) matrix(i, j) = dF_dy.at(i, j) + dF_dyp.at(i, j) / h;
    const Vector step = LeastNorm(matrix, 1e-15).solve(F);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= step[i];
  }
}

}  // namespace skyhook::formulation::testing
