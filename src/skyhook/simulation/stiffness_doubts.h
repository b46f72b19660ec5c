// Stiffnesses that the tolerance cannot resolve.
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// An error of one tolerance in the positions changes a force by stiffness times tolerance. Where this is more than the weight
// of the heavier body at its ends, the force that is recorded is noise, and the steps follow it. Moments count as forces at the
// radius of gyration.
std::vector<Warning> doubts_of_stiffness(const Prepared& prepared, const model::Experiment& experiment);

}  // namespace skyhook::simulation
