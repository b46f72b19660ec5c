// Forces and moments from outside as inputs of linear systems: "chassis.force_z" acts on the reference point of the body, "seat.torque_y" at
// a marker, along global axes. Each is a signal that a force of its own listens to, and zero at the operating point.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// Whether this is such a name of the model.
bool is_applied_force(const model::Model& model, const std::string& name);

// The same with those of the names that are such; the order of all that was there stays.
simulation::Prepared with_applied_forces(const simulation::Prepared& prepared, const std::vector<std::string>& names);

}  // namespace skyhook::analysis
