// What a run adds up for its summary.
#pragma once
#include <map>
#include <vector>

#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

void add_cost(Cost& sum, const Cost& more);
// `steps`: that a state has limited, by its number in (q, v). The most first.
std::vector<StepLimit> step_limits(const std::map<int, long>& steps, const Equations& eq);

}  // namespace skyhook::simulation
