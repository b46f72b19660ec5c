// What is wrong with matrices of a part before anything is computed from them.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// Throws ModelError: matrices that are not symmetric, not positive or hold the part to the ground, nodes that nothing connects.
void check(const FeModel& part);

}  // namespace skyhook::flexible
