// Where the mass of a part is, as far as its mass matrix tells.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// Solids: displacements alone, and one matrix of shape functions for each direction, M = m (x) 1: exact. Others (rotations, lumped differently in the
// directions): the mean of the three directions, without what rotations carry, and is_exact is false.
MassField field_of_matrix(const FeModel& part);

}  // namespace skyhook::flexible
