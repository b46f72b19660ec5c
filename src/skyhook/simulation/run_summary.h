// Parts of what a run tells of itself when it is over.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

void add_cost(Cost& sum, const Cost& cost);
// How many steps were limited: by states, of their numbers among (q, v), and by what elements have met ahead of them.
struct LimitedSteps {
  const std::map<int, long>& by_state;
  const std::map<std::string, long>& by_way;
};
std::vector<StepLimit> step_limits(const LimitedSteps& steps, const Equations& equations);  // most first

}  // namespace skyhook::simulation
