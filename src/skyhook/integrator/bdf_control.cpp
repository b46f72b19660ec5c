#include "skyhook/integrator/bdf_control.h"

#include <algorithm>
#include <cmath>

namespace skyhook::integrator {
namespace {

// The step changes from these factors on: smaller changes cost more in new factors of the matrix than they bring.
constexpr double
    growing = 2,
    rough_growing =
        1.5;  // at order 1, which is that of motions that are rough beside the step: many a step of twice the size fails there
constexpr double shrinking = 0.9, most_shrinking = 0.5;

constexpr double memory = 0.9;       // weight of a step in the means, relative to the next one
constexpr double not_falling = 0.6;  // a vibration stands in the highest differences
constexpr double falling = 0.5;      // a higher order than 2 pays
constexpr double observations = 3;   // weight of the means before they count
constexpr double affordable = 1;     // error of order 2, in tolerances
// Damping has been worth while if the step then grows by this factor. Otherwise it is not tried again for so many steps, and for
// more each time.
constexpr double worth = 4;
constexpr long first_patience = 100, more_patience = 4, most_patience = 100000;

// The step that brings an error of 1 = tolerance down to a half.
double step_factor(double error, int k) { return std::pow(2 * error + 1e-4, -1.0 / (k + 1)); }

}  // namespace

void BdfControl::start(double first, int order) {
  h = h_used = first, k = k_used = order;
  steady = 0, failures = 0, below = top = seen = 0, wait = 0, h_damped = 0, patience = first_patience;
}

void BdfControl::begin_attempt() { steady = h == h_used && k == k_used ? std::min(steady + 1, k_used + 2) : 1; }

BdfControl::Estimates BdfControl::estimates(const BdfHistory::Step& step, const BdfHistory::Norms& norms) const {
  const int order = step.k;
  Estimates e{};
  e.same = step.sigma[order] * norms.E;
  e.minus_1 = order > 1 ? step.sigma[order - 1] * norms.minus_1 : 0;
  e.minus_2 = order > 2 ? step.sigma[order - 2] * norms.minus_2 : 0;
  e.plus_1 = norms.plus_1 / (order + 2);
  e.term = (order + 1) * e.same, e.term_minus_1 = order * e.minus_1, e.term_minus_2 = (order - 1) * e.minus_2;
  e.term_plus_1 = norms.plus_1;
  const double third[] = {0, 0, norms.E, norms.minus_1, norms.minus_2, norms.minus_3};
  e.second = third[order] / 3;
  return e;
}

bool BdfControl::wants_lower(const Estimates& e) const {
  return k == 2 ? e.term_minus_1 <= 0.5 * e.term : k > 2 && std::max(e.term_minus_1, e.term_minus_2) <= e.term;
}

void BdfControl::watch(const Estimates& e) {
  if (steady <= 2) below = top = seen = 0;
  below = memory * below + e.term_minus_1 * e.term_minus_1;
  top = memory * top + e.term * e.term;
  seen = memory * seen + 1;
}

// Above order 2: differences that do not fall are those of a vibration which the step hardly resolves. Where order 2
// manages the same step, its damping takes away what is no larger than the tolerance.
bool BdfControl::should_damp(const Estimates& e) const {
  return k > 2 && wait <= 0 && seen > observations && top > not_falling * not_falling * below && e.second < affordable;
}

bool BdfControl::may_raise(const Estimates& e, bool was_raised) const {
  if (k >= order_limit || was_raised || steady < k + 2) return false;
  if (k == 1) return e.term_plus_1 < 0.5 * e.term;
  if (k == 2 && e.term_plus_1 > falling * e.term) return false;
  return e.term_plus_1 < e.term;
}

void BdfControl::accepted(const BdfHistory::Step& step, const BdfHistory::Norms& norms) {
  failures = 0;
  const bool was_raised = step.k > k_used;
  k_used = step.k, h_used = step.h;
  const Estimates e = estimates(step, norms);
  watch(e);
  double error = e.same;
  --wait;  // for damping to be tried again
  if (h_damped > 0 && h > worth * h_damped) h_damped = 0, patience = first_patience;
  if (should_damp(e))
    k = 2, error = e.second, h_damped = h;
  else if (wants_lower(e))
    --k, error = e.minus_1;
  else if (steady >= k + 2 && k > 1 && k < order_limit && e.term_minus_1 <= std::min(e.term, e.term_plus_1))
    --k, error = e.minus_1;
  else if (may_raise(e, was_raised))
    ++k, error = e.plus_1;
  if (k > 2 && h_damped > 0)
    h_damped = 0, wait = patience, patience = std::min(patience * more_patience, most_patience);
  const double factor = step_factor(error, k);
  if (factor >= growing)
    h *= k == 1 ? rough_growing : growing;
  else if (factor <= 1)
    h *= std::clamp(factor, most_shrinking, shrinking);
}

void BdfControl::failed_error_test(const BdfHistory::Step& step, const BdfHistory::Norms& norms) {
  ++failures;
  const Estimates e = estimates(step, norms);
  double error = e.same;
  if (wants_lower(e)) --k, error = e.minus_1;
  if (failures >= 3) k = 1;
  const double factor = failures == 1 ? std::clamp(0.9 * step_factor(error, k), 0.25, 0.9) : 0.25;
  h = step.h * (std::isfinite(factor) ? factor : 0.25);
}

}  // namespace skyhook::integrator
