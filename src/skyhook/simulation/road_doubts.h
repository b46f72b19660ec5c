// Roads that a wheel feels smoother than they are said to be.
#pragma once
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/model/model.h"

namespace skyhook::simulation {

// Wheels that stand between the two tracks of a road at design, where its height is a mean of both.
std::vector<Warning> doubts_of_roads(const model::Model& model);

}  // namespace skyhook::simulation
