// Parts of what a run tells of itself when it is over.
#pragma once
#include <map>
#include <vector>

#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

void add_cost(Cost& sum, const Cost& cost);
// By the number of the state among (q, v) and how many steps it has limited; most first.
std::vector<StepLimit> step_limits(const std::map<int, long>& steps_by_state, const Equations& equations);

}  // namespace skyhook::simulation
