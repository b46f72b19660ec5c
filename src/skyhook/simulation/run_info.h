// What a result says of its run before the first step.
#pragma once
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

RunInfo run_info(const Prepared& prepared, const model::Experiment& experiment, const Choice& choice,
                 const std::vector<Channel>& channels);

}  // namespace skyhook::simulation
