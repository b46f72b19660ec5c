// Does a vehicle that a drive leads along a railway track come to the end of the line before the run ends? That is known before the run.
#pragma once
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {

// One for each vehicle on a track, with the time at which its foremost axle is there.
std::vector<Warning> lines_that_end(const model::Model& model, const model::Experiment& experiment);

}  // namespace skyhook::analysis
