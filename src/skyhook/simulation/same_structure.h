// Whether a model that was read again with other parameters can take over a run.
#pragma once
#include <string>

#include "skyhook/model/model.h"

namespace skyhook::simulation {

// What has changed but numbers: "joint "hinge" is no longer there"; empty: nothing. A run can go on where bodies, joints, rods,
// couplers, forces, contacts, frictions and controllers are the same, by name, in the same order and between the same bodies.
std::string structural_difference(const model::Model& before, const model::Model& after);

}  // namespace skyhook::simulation
