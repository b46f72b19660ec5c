// Whether the equations have accelerations at the start: every direction must have inertia, or be led by something that has.
#pragma once
#include <string>

#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// Why they cannot be found there, in the words of joint coordinates where these have the same trouble. Empty: they can.
std::string why_not_solvable(const Prepared& prepared);

}  // namespace skyhook::simulation
