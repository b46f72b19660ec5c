// Simbody (libsimbody-dev). The functions return null where it was not found at configuration.
#pragma once
#include <memory>

#include "../mechanism.h"
#include "../workload.h"

namespace skyhook::bench {

std::unique_ptr<TreeSimulator> simbody_tree(const Workload& workload);
// Runge-Kutta-Merson with projection onto the constraints.
std::unique_ptr<MechanismSimulator> simbody_andrews();
std::unique_ptr<MechanismSimulator> simbody_four_bars(int n);
const char* simbody_version();  // "" if absent

}  // namespace skyhook::bench
