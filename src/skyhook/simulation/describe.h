// A prepared model in words.
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// What `check` says: loops and cuts, redundant constraints by name, degrees of freedom and what they move, moves, warnings.
std::vector<std::string> describe(const Prepared& prepared);

}  // namespace skyhook::simulation
