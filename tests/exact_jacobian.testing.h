// Two routes: the derivatives that GGL states, with multipliers and corrections that are not zero, against central differences of its residual.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "skyhook/formulation/ggl.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::testing {

// Largest difference, relative to the largest entry of the matrix or 1. About the prepared state, with velocities and all else disturbed by `size`.
inline double jacobian_error(const simulation::Prepared& prepared, double size, formulation::Ggl::Unknowns unknowns) {
  const formulation::Ggl ggl(prepared.active, unknowns);
  const auto n = static_cast<std::size_t>(ggl.structure().size());
  std::vector<double> y(n), yp(n), ahead(n), behind(n);
  std::copy(prepared.state.q.begin(), prepared.state.q.end(), y.begin());
  std::copy(prepared.state.v.begin(), prepared.state.v.end(), y.begin() + ggl.v());
  for (std::size_t i = 0; i < n; ++i) {
    const double irregular = std::sin(12.9898 * static_cast<double>(i + 1));
    yp[i] = irregular;
    if (static_cast<int>(i) >= ggl.v()) y[i] += size * (1 + irregular);
  }
  const auto work = ggl.workspace();
  ggl.fill_unknowns(0, y, *work);
  Csc exact(ggl.structure().pattern), of_rates(ggl.structure().pattern);
  if (ggl.derivatives({0, y, yp}, exact, of_rates, *work) != Eval::ok) return std::nan("");
  double largest = 1, error = 0;
  for (const double x : exact.value) largest = std::max(largest, std::abs(x));
  for (std::size_t j = 0; j < n; ++j) {
    constexpr double h = 1e-6;
    const double at = y[j];
    y[j] = at + h;
    if (ggl.residual({0, y, yp}, ahead, *work) != Eval::ok) return std::nan("");
    y[j] = at - h;
    if (ggl.residual({0, y, yp}, behind, *work) != Eval::ok) return std::nan("");
    y[j] = at;
    std::vector<double> column(n);
    for (int k = exact.pattern->start[j]; k < exact.pattern->start[j + 1]; ++k)
      column[static_cast<std::size_t>(exact.pattern->row[k])] = exact.value[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < n; ++i)
      error = std::max(error, std::abs((ahead[i] - behind[i]) / (2 * h) - column[i]) / largest);
  }
  return error;
}

// With the unknowns of contributions among those of the whole, and found inside the equations.
inline double jacobian_error(const simulation::Prepared& prepared, double size) {
  return std::max(jacobian_error(prepared, size, formulation::Ggl::Unknowns::kept),
                  jacobian_error(prepared, size, formulation::Ggl::Unknowns::found));
}

}  // namespace skyhook::testing
