#include "skyhook/integrator/bdf_control.h"

#include <algorithm>
#include <cmath>

namespace skyhook::integrator {
namespace {

constexpr double growing = 1.5, most_growth = 2;  // the step changes from this factor on, and by at most that
constexpr double shrinking = 0.9, most_shrinking = 0.5;

// Ratios of successive differences.
constexpr double memory = 0.9;       // weight of a step in the means, relative to the next one
constexpr double falling = 0.3;      // a solution that is smooth at this step size: a higher order pays
constexpr double not_falling = 0.6;  // a vibration stands in the highest differences
constexpr double vibrating = 0.5, noisy = 1.2;

// What order 2 is to be preferred for, as errors in tolerances.
constexpr double second_holds = 1, second_affordable = 2;
constexpr double seen_before_damping = 4;  // weight of the means

// Which vibrations are followed at order 5: those that keep the step of order 2 from growing.
constexpr double large = 0.25, stuck = 0.14, large_when_trying = 0.1;
constexpr double seen_if_large = 2.5, seen_if_stuck = 4, seen_if_lasting = 9;
constexpr double begins_at = 0.15;  // w h of the vibration found, so that faster ones are stable as well

// Order 5 damps below w h = 0.7 and amplifies above.
constexpr double stable = 0.6, too_long = 0.65, no_vibration = 1.3;
constexpr double seen = 0.03, unseen = 0.002;  // errors of order 5
constexpr long first_calm = 50, longest_calm = 500;
constexpr long first_patience = 2000, accumulating = 200;

// The step that brings an error of 1 = tolerance down to 1 / margin.
double step_factor(double error, int k, double margin = 2) { return std::pow(margin * error + 1e-4, -1.0 / (k + 1)); }

}  // namespace

void BdfControl::start(double first, int order) {
  h = h_used = first, k = k_used = order;
  steady = 0, failures = 0, last_error = 1;
  starting = ramping = false, watch = {};
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
  const double third[] = {norms.E, norms.E, norms.E, norms.minus_1, norms.minus_2, norms.minus_3};
  e.second = third[order] / 3;
  return e;
}

bool BdfControl::wants_lower(const Estimates& e) const {
  return k == 2 ? e.term_minus_1 <= 0.5 * e.term : k > 2 && std::max(e.term_minus_1, e.term_minus_2) <= e.term;
}

void BdfControl::Watch::add(double difference_lower, double difference_below, double difference_top) {
  lower = memory * lower + difference_lower * difference_lower;
  below = memory * below + difference_below * difference_below;
  top = memory * top + difference_top * difference_top;
  weight = memory * weight + 1;
}

double BdfControl::Watch::ratio() const { return std::sqrt(top / below); }
double BdfControl::Watch::ratio_below() const { return std::sqrt(below / lower); }
double BdfControl::Watch::level() const { return std::sqrt(top / weight); }
double BdfControl::Watch::level_below() const { return std::sqrt(below / weight); }

// The difference of order k + 2 means something only after steps of equal size; order 5 goes without, as the leftovers of
// Newton's method hide it.
void BdfControl::observe(const Estimates& e) {
  if (steady <= 2)
    watch = {};
  else if (k == BdfHistory::highest_order)
    watch.add(e.term_minus_2, e.term_minus_1, e.term);
  else
    watch.add(e.term_minus_1, e.term, e.term_plus_1);
}

void BdfControl::accepted(const BdfHistory::Step& step, const BdfHistory::Norms& norms) {
  failures = 0;
  const bool was_raised = step.k > k_used && k_used > 0;
  k_used = step.k, h_used = step.h;
  const Estimates e = estimates(step, norms);
  observe(e);
  ++resolved;
  if (ramping && k < order_limit) {
    ++k;
  } else {
    ramping = false;
    if (starting || !guard(e)) choose(e, was_raised);
  }
  last_error = e.same;
}

// True: the guard has chosen order and step.
bool BdfControl::guard(const Estimates& e) {
  if (!watch.is_known()) return false;
  if (resolving && resolved > patience) resolving = false, trying = true, h_tried = h;
  if (trying && h > 8 * h_tried) trying = false;
  const bool at_highest = k == BdfHistory::highest_order;
  if (k == 2 && is_worth_resolving(e)) {
    resolve();
    return true;
  }
  if (at_highest && !resolving && watch.weight > seen_if_lasting) begin_resolving();
  if (at_highest && resolving) return shorten_for_stability();
  if (k > 2 && !resolving && watch.ratio() > not_falling && watch.weight >= seen_before_damping &&
      e.second < second_affordable) {
    damp(e);
    return true;
  }
  return false;
}

// At order 2, where no vibration grows by itself. One that the step can grow over is smaller than a few tolerances: it
// will be damped, and the error with it stays that small. Differences that fall fast below the vibration tell that something
// slow limits the step.
bool BdfControl::is_worth_resolving(const Estimates& e) const {
  if (order_limit < BdfHistory::highest_order) return false;
  const double ratio = watch.ratio(), error = watch.level_below() / 3;
  if (ratio > noisy || watch.ratio_below() < 0.25) return false;
  if (trying) return ratio > falling && error > large_when_trying;
  if (ratio < vibrating || watch.weight < seen_if_large) return false;
  return error > large || (watch.weight > seen_if_stuck && std::min(error, e.same) > stuck);
}

void BdfControl::begin_resolving() {
  if (!resolving) patience = std::max(2 * patience, first_patience), resolved = 0;
  resolving = true, trying = false;
}

// Orders 3 and 4 amplify a vibration however short the step: order 5 at once, at a step that is short for it.
void BdfControl::resolve() {
  begin_resolving();
  h *= begins_at / watch.ratio();
  ramping = true, ++k;
}

void BdfControl::damp(const Estimates& e) {
  k = 2;
  change_step(step_factor(e.second, 2));
}

// Of the frequencies above those of interest nothing is known until the step is too long for them and they grow out of
// the noise. They are seen far below the tolerance, as the highest difference shows them most.
bool BdfControl::shorten_for_stability() {
  ++quiet;
  const double ratio = watch.ratio();
  if (ratio < too_long || ratio > no_vibration || watch.level() / 6 < seen) return false;
  h *= std::max(most_shrinking, stable / ratio);
  calm = std::clamp(2 * calm, first_calm, longest_calm), quiet = 0;
  return true;
}

bool BdfControl::may_raise(const Estimates& e, bool was_raised) const {
  if (k >= order_limit || steady <= k || was_raised) return false;
  if (k == 1) return e.term_plus_1 < 0.5 * e.term;
  if (e.term_plus_1 >= e.term) return false;
  if (!watch.is_known()) return k > 2 || (watch.weight >= 1 && watch.ratio() <= falling);
  return watch.ratio() <= falling || e.second >= second_holds;
}

double BdfControl::growth_limit() const {
  if (!resolving) return most_growth;
  if (!watch.is_known()) return 1;
  if (k < BdfHistory::highest_order) return most_growth;
  if (quiet <= calm) return 1;
  const double error = watch.level() / 6;
  const bool only_noise = error < unseen || (watch.ratio() > 1 && error < seen);
  return only_noise ? growing : std::max(1.0, stable / watch.ratio());
}

// The order by the fall of the terms, as in DASSL: the order of the largest next step is mostly one lower, and takes more
// steps for the same error in the end. Order 1 is for the start and after failures.
void BdfControl::choose(const Estimates& e, bool was_raised) {
  const bool lower = wants_lower(e) && !resolving && (starting || k > 2);
  if (lower || k == order_limit) starting = false;
  if (starting) {
    ++k, h *= 2;
    return;
  }
  const int before = k;
  double error = e.same;
  if (lower || (k > 2 && k < order_limit && steady > k && e.term_minus_1 <= std::min(e.term, e.term_plus_1)))
    --k, error = e.minus_1;
  else if (may_raise(e, was_raised))
    ++k, error = e.plus_1;
  // The errors of a resolved vibration add up over its periods.
  const double margin = resolving && resolved > accumulating ? 20 : 2;
  double factor = std::min(step_factor(error, k, margin), growth_limit());
  // An error that passes through zero is small for one step only.
  if (k == before && steady > 1) factor = std::min(factor, std::max(1.0, step_factor(last_error, k, margin)));
  change_step(factor);
}

// Small changes cost more in new factors of the matrix than they bring.
void BdfControl::change_step(double factor) {
  if (factor >= growing)
    h *= std::min(factor, most_growth);
  else if (factor <= shrinking)
    h *= std::max(factor, most_shrinking);
}

void BdfControl::failed_error_test(const BdfHistory::Step& step, const BdfHistory::Norms& norms) {
  ++failures;
  if (k_used == 0 && failures < 5) {  // the first step: much shorter, so that the start is one of rising orders
    h *= 0.1;
    return;
  }
  starting = resolving = ramping = false;
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
