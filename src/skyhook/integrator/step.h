// What one step of any integrator comes to.
#pragma once
#include <string>

namespace skyhook::integrator {

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
