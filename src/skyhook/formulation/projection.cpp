#include "skyhook/formulation/projection.h"

#include <algorithm>
#include <cmath>

#include "skyhook/math/dense.h"

namespace skyhook::formulation {

constexpr int most_iterations = 12;
constexpr double rounding = 1e-12;  // m or rad, or per second: steps below it are noise, however tight the tolerance

Projection::Projection(const formalism::EquationsOfMotion& eq, Metric metric)
    : eq_(eq),
      metric_(metric),
      solver_(eq.acceleration_solver()),
      workspace_(eq.workspace()),
      g_(eq.ng()),
      rate_(eq.ng()),
      step_(eq.nv()),
      q_of_v_(eq.nv()) {
  for (int i = 0; i < eq.moving(); ++i)
    q_of_v_[static_cast<std::size_t>(i)] = static_cast<std::size_t>(std::max(eq.position_of(i), 0));
  for (const auto& slot : eq.rotations()) {
    for (int k = 0; k < 3; ++k) q_of_v_[static_cast<std::size_t>(slot.iv + k)] = static_cast<std::size_t>(slot.iq + k);
  }
}

void normalise_quaternions(const formalism::EquationsOfMotion& eq, Span q) {
  for (const auto& slot : eq.rotations()) {
    double* const p = q.data() + slot.iq;
    const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int c = 0; c < 4; ++c) p[c] /= size;
  }
}

void Projection::evaluate(double t, CSpan q, CSpan v) { eq_.constraints(t, q, v, g_, rate_, workspace_); }

void Projection::factor_and_evaluate(double t, CSpan q, CSpan v) { solver_.factor(t, q, v, g_, rate_, workspace_); }

double Projection::weighted_size(CSpan weight) const {
  const int n = eq_.moving();  // no constraint moves inner states
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::pow(step_[i] * weight[q_of_v_[i]], 2);
  return std::sqrt(sum / n);
}

// [Simeon 1996] (13) with the matrix of the stage before: simplified Newton, converging by about the step size each time.
Eval Projection::positions(double t, Span q, CSpan v, CSpan weight, Repair& repair) {
  double before = 0;
  for (repair.iterations = 1; repair.iterations <= most_iterations; ++repair.iterations) {
    evaluate(t, q, v);
    for (double& g : g_) g = -g;
    if (!solver_.smallest_step(g_, step_, metric_)) return undone(g_);
    eq_.plus(q, step_);
    const double size = weighted_size(weight);
    if (repair.iterations == 1) repair.moved = size;
    if (size < 1e-7 || (repair.iterations > 2 && largest(g_) < 1e-14)) return Eval::ok;
    if (repair.iterations > 1 && !(size < 0.9 * before)) {
      // Rounding is reached, or the matrix of the last stage is too old: then that of this position is taken.
      if (size < 1e-3 || largest(step_) < rounding) return Eval::ok;
      solver_.factor(t, q, workspace_);
    }
    before = size;
  }
  workspace_.blame() = "The projection onto the position constraints did not converge.";
  return Eval::recoverable;
}

// [Simeon 1996] (12b).
Eval Projection::velocities(double t, CSpan q, Span v) {
  solver_.factor(t, q, workspace_);
  return velocities_nearby(t, q, v);
}

Eval Projection::velocities_nearby(double t, CSpan q, Span v) {
  evaluate(t, q, v);
  for (double& r : rate_) r = -r;
  if (!solver_.smallest_step(rate_, step_, metric_)) return undone(rate_);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += step_[i];
  return Eval::ok;
}

// At a singular position: what holds already needs no projection.
Eval Projection::undone(const std::vector<double>& residual) {
  if (largest(residual) < rounding) return Eval::ok;
  workspace_.blame() = "The constraints cannot be restored here (singular position).";
  return Eval::recoverable;
}

}  // namespace skyhook::formulation
