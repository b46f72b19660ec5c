// For messages: is it a drive that a run fails on?
#pragma once
#include <string>

#include "skyhook/formalism/equations_of_motion.h"

namespace skyhook::simulation {

// Whether the loops can be closed a little later, at most `ahead`, with the drives where they are then. If not: which drives ask for
// a position that the linkage cannot reach, from when on, and the joint that opens. Empty: they can, or nothing is driven.
std::string drive_out_of_reach(const formalism::EquationsOfMotion& all, const formalism::State& last, double ahead);

// "joint ... is near gimbal lock ...", of joints whose three angles have lost one; empty: none.
std::string gimbal_lock_near(const formalism::EquationsOfMotion& all, const formalism::State& state);

}  // namespace skyhook::simulation
