#include "skyhook/integrator/bdf_control.h"

#include <algorithm>
#include <cmath>

namespace skyhook::integrator {
namespace {

// The step that brings an error of 1 = tolerance down to a half.
double step_factor(double error, int k) { return std::pow(2 * error + 1e-4, -1.0 / (k + 1)); }

}  // namespace

void BdfControl::start(double first, int order) {
  h = h_used = first, k = k_used = order;
  steady = 0, failures = 0, starting = false;
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
  return e;
}

bool BdfControl::wants_lower(const Estimates& e) const {
  return k == 2 ? e.term_minus_1 <= 0.5 * e.term : k > 2 && std::max(e.term_minus_1, e.term_minus_2) <= e.term;
}

void BdfControl::accepted(const BdfHistory::Step& step, const BdfHistory::Norms& norms) {
  failures = 0;
  const bool was_raised = step.k > k_used && k_used > 0;
  k_used = step.k, h_used = step.h;
  const Estimates e = estimates(step, norms);
  const bool lower = wants_lower(e);
  if (lower || k == order_limit) starting = false;
  if (starting) {
    ++k, h *= 2;
    return;
  }
  double error = e.same;
  if (lower) {
    --k, error = e.minus_1;
  } else if (k < order_limit && steady >= k + 2 && !was_raised) {
    if (k > 1 && e.term_minus_1 <= std::min(e.term, e.term_plus_1))
      --k, error = e.minus_1;
    else if (e.term_plus_1 < (k == 1 ? 0.5 : 1.0) * e.term)
      ++k, error = e.plus_1;
  }
  const double factor = step_factor(error, k);
  if (factor >= 2)
    h *= 2;
  else if (factor <= 1)
    h *= std::clamp(factor, 0.5, 0.9);
}

void BdfControl::failed_error_test(const BdfHistory::Step& step, const BdfHistory::Norms& norms) {
  starting = false;
  ++failures;
  const Estimates e = estimates(step, norms);
  double error = e.same;
  if (wants_lower(e)) --k, error = e.minus_1;
  if (failures >= 3) k = 1;
  const double factor = failures == 1 ? std::clamp(0.9 * step_factor(error, k), 0.25, 0.9) : 0.25;
  h = step.h * (std::isfinite(factor) ? factor : 0.25);
}

void BdfControl::failed_newton() {
  starting = false;
  h *= 0.25;
}

}  // namespace skyhook::integrator
