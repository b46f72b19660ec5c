#include "skyhook/integrator/ida_start.h"

#include <algorithm>
#include <cmath>

#include "skyhook/integrator/common.h"

namespace skyhook::integrator {

IdaStart::IdaStart(const DaeProblem& problem, const Options& options)
    : structure_(problem.structure()),
      options_(options),
      newton_(problem, options),
      starter_(structure_.y.size()),
      history_(structure_.y.size()) {
  steps_.may_go_on = false;
  steps_.largest = options.largest_step;
}

void IdaStart::restart(Jump jump) {
  has_begun_ = gave_up_ = false, jumped_ = jump;
  steps_.may_go_on = may_repeat_starter(structure_, order_limit(options_, BdfHistory::highest_order));
  if (jump != Jump::input) newton_.forget_matrix();
}

// As in our BDF: y changes on the time scale (|y| + nominal) / |y'|; where inputs jump from sample to sample, the last start
// tells more.
double IdaStart::first_guess(double t, double span, CSpan y, CSpan yp) const {
  if (steps_.known() && jumped_ == Jump::input) return steps_.first(span);
  constexpr double of_span = 1e-2;
  const double scale = std::sqrt(finer_tolerance(options_));
  const double h = first_step(structure_, y, yp, {options_.initial_step, scale, span, steps_.known() ? 1.0 : of_span});
  return std::max(steps_.known() ? std::min(h, steps_.first(span)) : h, least_step(t, options_));
}

std::optional<IdaStart::Step> IdaStart::step(double t, const Until& until, Span y, Span yp, Cost& cost) {
  constexpr int most_attempts = 20;
  double h = has_begun_ ? steps_.next(until.due - t) : first_guess(t, until.due - t, y, yp);
  for (int k = 0; k < most_attempts && !is_too_small(h, t, until.limit, options_); ++k) {
    const Reach reach = reach_of(h, t, until.limit, options_);
    if (!starter_.step(structure_, t, y, yp, h, newton_, cost)) {
      if (newton_.is_fatal) return std::nullopt;
      h *= 0.25;
    } else if (!(starter_.error() <= 1)) {
      ++cost.error_test_failures;
      h = StarterSteps::after_failure(h, starter_.error());
    } else {
      steps_.accepted({.h = h, .error = starter_.error(), .left = until.due - t - h, .is_first = !has_begun_});
      take(h, y, yp);
      ++cost.steps;
      return Step{h, reach.at_limit};
    }
  }
  return std::nullopt;
}

void IdaStart::take(double h, Span y, Span yp) {
  starter_.fill_values(structure_, y, yp, h, newton_);
  distance_ = starter_.step_of() * h;
  history_.begin(starter_.values(), distance_);
  std::ranges::copy(newton_.y, y.begin());
  std::ranges::copy(newton_.yp, yp.begin());
  has_begun_ = true;
}

}  // namespace skyhook::integrator
