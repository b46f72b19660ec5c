// What a step of `radau5` errs by, and what of it is rounding.
#include <algorithm>
#include <cmath>

#include "skyhook/integrator/radau5_state.h"

namespace skyhook::integrator {
namespace {

using namespace radau_iia;

constexpr double noticeable_rounding = 0.01;  // times the tolerance: worth a word where a step fails

}  // namespace

void Radau5::State::set_weights() {
  for (std::size_t i = 0; i < y.size(); ++i) weight[i] = error_weight(structure.y[i], y[i], h, options);
}

// The embedded formula of order 3, filtered by the real matrix so that it stays small for stiff components; where it
// would reject a first or repeated step it is evaluated once more at the corrected start (Hairer, Wanner II, IV (8.20)).
void Radau5::State::estimate_error() {
  err = error_from(y);
  if (err >= 1 && (h_before == 0 || rejected)) {
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] = y[i] + right[i];
    err = error_from(stage);
  }
  if (err < 1) err = std::max(err, error_between());
  err = std::max(err, 1e-10);  // a NaN stays one
}

double Radau5::State::error_from(CSpan start) {
  for (std::size_t i = 0; i < y.size(); ++i) trial[i] = -(e[0] * Z[0][i] + e[1] * Z[1][i] + e[2] * Z[2][i]) / h;
  if (checked_residual(problem, {t, start, trial}, right, *workspace, cost, blame) != Eval::ok) return 10.0;
  for (double& r : right) r = -r;
  return filtered_error(dominant);
}

// What the polynomial lacks between the stages: a step of Newton's method from it, which for constraints is their violation and
// for differential equations h times the defect. The embedded formula sees nothing of variables that constraints lead, or that
// are stiff: they keep to their stages however long the step is, and what is recorded would be anything.
double Radau5::State::error_between() {
  stage = y;
  std::ranges::fill(trial, 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [value, slope_there] = share_of(k, farthest);
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] += value * Z[k][i], trial[i] += slope_there / h * Z[k][i];
  }
  if (checked_residual(problem, {t + farthest * h, stage, trial}, right, *workspace, cost, blame) != Eval::ok)
    return 10.0;
  int worst = -1;
  const double between = filtered_error(worst);
  if (between > err) dominant = worst;
  return between;
}

// The estimates are corrections of residuals: of constraints, which velocities of a thousand rad/s meet to 1e-13 only, at any
// step. An error that is no more than that is none of the step. Steps are chosen by the rest of it: otherwise they would
// shrink from step to step, or be repeated, until they are nothing.
bool Radau5::State::is_rounding_of_error() {
  const double one = rounding_of_error();
  if (!(err <= most_roundings * one)) return false;
  rounding_shows = true;
  if (one <= bearable) return true;
  blame = below_rounding;
  return false;
}

std::string Radau5::State::why_error_stays() {
  if (factored_h > 0 && rounding_of_error() > noticeable_rounding) return below_rounding;
  const bool falls = err < 0.5 * err_rejected || h > 1e-2 * h_rejected;  // where none was rejected, too
  return error_of(structure, dominant) +
         (falls ? "" : " Shorter steps do not lower it: look for an input that jumps, or for noise in the equations.");
}

double Radau5::State::rounding_of_error() {
  std::minstd_rand sign;
  residual_of_rounding(structure, dF_dy, dF_dyp, {t, y, Zp[2]}, right, sign);
  int worst = -1;
  return filtered_error(worst);
}

// Of the residuals in `right`, which become corrections.
double Radau5::State::filtered_error(int& largest_at) {
  real.solve(right);
  double sum = 0, largest = 0;
  int tested = 0;
  largest_at = -1;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!structure.y[i].in_error_test) continue;
    const double size = weight[i] * std::abs(right[i]);
    if (size > largest) largest = size, largest_at = static_cast<int>(i);
    sum += size * size, ++tested;
  }
  return tested > 0 ? std::sqrt(sum / tested) : 0.0;
}

}  // namespace skyhook::integrator
