#include "skyhook/simulation/work_integral.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/energy.h"

namespace skyhook::simulation {

void WorkIntegral::begin(const Snapshot& s) {
  lambda_ = s.lambda;
  t_ = s.t;
}

double WorkIntegral::until(double t, Evaluator& s) {
  const double work = up_to(t, s);
  t_ = std::max(t, t_);
  return work;
}

double WorkIntegral::up_to(double t, Evaluator& s) {
  if (!s.has_power() || t <= t_) return 0;
  const double whole = gauss(t_, t - t_, s);
  return s.has_drive() ? refined(t_, t - t_, whole, 5, s) : whole;
}

double WorkIntegral::gauss(double from, double h, Evaluator& s) {
  static const double off = 0.5 / std::sqrt(3.0);
  const double first = power_at(from + (0.5 - off) * h, s), second = power_at(from + (0.5 + off) * h, s);
  largest_power_ = std::max({largest_power_, std::abs(first), std::abs(second)});
  return 0.5 * h * (first + second);
}

// Where little power flows little accuracy is needed.
double WorkIntegral::refined(double from, double h, double whole, int refinements, Evaluator& s) {
  const double left = gauss(from, 0.5 * h, s), right = gauss(from + 0.5 * h, 0.5 * h, s), halves = left + right;
  if (std::abs(halves - whole) <= tolerance_ * h * largest_power_) return halves + (halves - whole) / 15;
  if (refinements == 1) return halves;
  return refined(from, 0.5 * h, left, refinements - 1, s) + refined(from + 0.5 * h, 0.5 * h, right, refinements - 1, s);
}

// At a time within the last step. Forces of drives come from the accelerations there, never from interpolated multipliers.
double WorkIntegral::power_at(double t, Evaluator& s) {
  const formalism::State& state = state_at_(t);
  if (s.has_drive() && s.evaluate_drives(t, state.q, state.v) == Eval::ok)
    lambda_ = s.now().lambda;
  else
    s.evaluate_motion(t, state.q, state.v);
  return formalism::power(s.now(), lambda_);
}

}  // namespace skyhook::simulation
