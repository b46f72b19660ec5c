// What all integrators are told, and what one step of any integrator comes to.
#pragma once
#include <algorithm>
#include <string>

#include "skyhook/base/boxed.h"
#include "skyhook/corrector/strategy.h"

namespace skyhook::integrator {

struct Options {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-6;  // times each variable's nominal value
  double initial_step = 0;           // s; 0: from y' at the start
  double largest_step = 0;           // s; 0: no limit
  double smallest_step = 1e-14;      // s; below: failure
  int max_order = 0;                 // of bdf, ida and adams; 0: their own largest, 5, 5 and 12
  // Newton's iteration in an implicit method stops when its estimated error is below kappa times the tolerance.
  // 0: the method's own, 0.05 in bdf, 0.33 in ida, min(0.03, sqrt(tolerance)) in radau5 (Hairer's). [Arnold 2004] §4: what becomes of
  // index-3 problems when it is too large.
  double kappa = 0;
  // Of bdf; hht and generalised_alpha always: see BdfNewton::is_persistent.
  bool persistent_newton = false;
  JacobianStrategy jacobian;  // of bdf; ida takes its source, but for an estimated pattern
};

// The order a method with orders 1 to `largest` may go up to.
inline int order_limit(const Options& options, int largest) {
  return options.max_order > 0 ? std::min(options.max_order, largest) : largest;
}

// What has changed at t, where restart() lets an integrator go on from other values, which must be consistent. It keeps its
// memory, its step size as a first guess, what it has spent so far, and what the jump has left valid. t is any time within
// the last step; until the next step interpolate() knows no other.
enum class Jump {
  input,  // an excitation or a held signal: y' and multipliers jump, dF/dy stays as good as it was
  state,  // y itself, as in an impact: dF/dy is evaluated anew
  mode,   // the equations
};

enum class StepStatus { ok, reached_limit, failed };

struct StepResult {
  StepStatus status = StepStatus::ok;
  double t = 0;  // time reached
  double h = 0;  // size of the step just taken
  int order = 0;
  int dominant = -1;   // variable with the largest weighted local error estimate in this step
  std::string reason;  // when failed: what, where, likely cause, in the user's words
};

}  // namespace skyhook::integrator
