// Wheels that stand on irregularities of their track when a run starts from its initial values. The vehicle is placed on the line as laid: where a rail lies a millimetre higher, an elastic wheel is pressed into it
// by that and begins with a hundred times its load, where it lies lower the wheel hangs above. Wheels with a constraint are put onto their rail, and a start from the equilibrium finds all places.
#pragma once
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// One for each track, naming the wheel that is farthest off.
std::vector<Warning> uneven_starts(const simulation::Prepared& prepared, const model::Experiment& experiment);

}  // namespace skyhook::analysis
