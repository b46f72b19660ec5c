// Beams of nodal coordinates in the scene: lines that a page bends by itself, from the states.
#pragma once
#include <string>

#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// ,"bent_lines":[...], or nothing where there is none.
std::string bent_lines(const Prepared& p);

}  // namespace skyhook::simulation
