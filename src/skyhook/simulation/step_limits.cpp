#include "skyhook/simulation/step_limits.h"

#include <algorithm>

namespace skyhook::simulation {

void add_cost(Cost& sum, const Cost& c) {
  sum.steps += c.steps, sum.error_test_failures += c.error_test_failures, sum.newton_failures += c.newton_failures;
  sum.residuals += c.residuals, sum.residuals_for_jacobian += c.residuals_for_jacobian, sum.jacobians += c.jacobians;
  sum.factorisations += c.factorisations, sum.newton_iterations += c.newton_iterations, sum.seconds += c.seconds;
  sum.projections += c.projections, sum.updates += c.updates;
}

std::vector<StepLimit> step_limits(const std::map<int, long>& steps, const Equations& eq) {
  std::vector<StepLimit> list;
  const auto& tree = eq.tree();
  for (const auto& [state, count] : steps) {
    const bool position = state < tree.nq;
    const std::string& name = position ? tree.q_names[state] : tree.v_names[state - tree.nq];
    list.push_back({name, name.substr(0, name.rfind('.')), count});
  }
  std::ranges::stable_sort(list, std::greater{}, &StepLimit::steps);
  return list;
}

}  // namespace skyhook::simulation
