#include "skyhook/simulation/run_summary.h"

#include <algorithm>

namespace skyhook::simulation {

void add_cost(Cost& sum, const Cost& c) {
  sum.steps += c.steps, sum.error_test_failures += c.error_test_failures, sum.newton_failures += c.newton_failures;
  sum.residuals += c.residuals, sum.residuals_for_jacobian += c.residuals_for_jacobian, sum.jacobians += c.jacobians;
  sum.factorisations += c.factorisations, sum.newton_iterations += c.newton_iterations, sum.seconds += c.seconds;
  sum.projections += c.projections, sum.updates += c.updates;
}

std::vector<StepLimit> step_limits(const LimitedSteps& limited, const Equations& equations) {
  std::vector<StepLimit> limits;
  for (const auto& [state, steps] : limited.by_state) {
    const std::string& name = equations.state_name(state);
    limits.push_back({name, name.substr(0, name.rfind('.')), steps});
  }
  for (const auto& [who, steps] : limited.by_way) limits.push_back({"what is met ahead", who, steps});
  std::ranges::stable_sort(limits, [](const StepLimit& a, const StepLimit& b) { return a.steps > b.steps; });
  return limits;
}

}  // namespace skyhook::simulation
