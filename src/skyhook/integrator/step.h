// What all integrators of our own are told, and what one step of any integrator comes to.
#pragma once
#include <string>

namespace skyhook::integrator {

struct Options {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-6;  // times each variable's nominal value
  double initial_step = 0;           // s; 0: from y' at the start
  double largest_step = 0;           // s; 0: no limit
  double smallest_step = 1e-14;      // s; below: failure
  int max_order = 12;                // of methods with variable order
  // Newton's iteration in an implicit method stops when its estimated error is below kappa times the tolerance.
  // 0: min(0.03, sqrt(tolerance)), Hairer's default. S0 §4 shows what becomes of index-3 problems when it is too large.
  double kappa = 0;
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
