// A prepared model in words.
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// What `check` says: loops and cuts, redundant constraints by name, degrees of freedom and what they move, moves, warnings.
std::vector<std::string> describe(const Prepared& prepared);
// "joint", "absolute", or "joint and absolute" where bodies of both kinds are there.
std::string coordinates_of(const Prepared& prepared);
// Guides and tracks where others are absolute: their coordinates are a way along a line, which frames alone do not tell.
std::vector<std::string> joints_that_stay(const Prepared& prepared);

}  // namespace skyhook::simulation
