#include "skyhook/simulation/work_integral.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {

void WorkIntegral::begin(const Snapshot& s) {
  lambda_ = s.lambda;
  power_ = s.has_power() ? s.power(s.lambda) : 0.0;
  t_ = s.t;
}

double WorkIntegral::until(double t, Snapshot& s) {
  if (!s.has_power() || t <= t_) return 0;
  const double middle = power_at(0.5 * (t_ + t), s), end = power_at(t, s);
  const double work = simpson(t_, t - t_, {power_, middle, end}, s.has_drive() ? 5 : 0, s);
  t_ = t, power_ = end;
  return work;
}

double WorkIntegral::simpson(double from, double h, const std::array<double, 3>& p, int refinements, Snapshot& s) {
  const double whole = h / 6 * (p[0] + 4 * p[1] + p[2]);
  if (refinements == 0) return whole;
  const std::array<double, 3> left{p[0], power_at(from + 0.25 * h, s), p[1]},
      right{p[1], power_at(from + 0.75 * h, s), p[2]};
  const double halves = h / 12 * (left[0] + 4 * left[1] + 2 * p[1] + 4 * right[1] + right[2]);
  const double size =
      std::max({std::abs(left[0]), std::abs(left[1]), std::abs(p[1]), std::abs(right[1]), std::abs(right[2])});
  largest_power_ = std::max(largest_power_, size);  // where little power flows little accuracy is needed
  if (std::abs(halves - whole) <= tolerance_ * h * largest_power_) return halves + (halves - whole) / 15;
  return simpson(from, 0.5 * h, left, refinements - 1, s) + simpson(from + 0.5 * h, 0.5 * h, right, refinements - 1, s);
}

// At a time within the last step. Forces of drives come from the accelerations there, never from interpolated multipliers.
double WorkIntegral::power_at(double t, Snapshot& s) {
  const formalism::State& state = state_at_(t);
  if (s.has_drive() && s.evaluate_drives(t, state.q, state.v) == Eval::ok)
    lambda_ = s.lambda;
  else
    s.evaluate_motion(t, state.q, state.v);
  return s.power(lambda_);
}

}  // namespace skyhook::simulation
