// Frames of flexible bodies that leave them too little inertia.
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// A frame that is tangent where a hinge or ball lets the body turn: where a deflection of less than a twentieth of its size takes the mass matrix's
// positive sign (flexible/lost_inertia.h), runs end there.
std::vector<Warning> doubts_of_frames(const model::Model& model);

}  // namespace skyhook::simulation
