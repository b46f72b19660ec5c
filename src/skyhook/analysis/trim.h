// A steady curve in which the tyres carry the car: the sideslip and one steering coordinate are found so that neither a side force nor a moment
// about z must be added (docs/theory/13_equilibrium.md). The coordinate follows a drive, which then stands at the value found, or is one of the state,
// and what holds it there is among the efforts.
#pragma once
#include "skyhook/analysis/equilibrium.h"

namespace skyhook::analysis {

// With options.motion.steer. Throws ModelError where there is no such coordinate, or nothing floats.
Equilibrium find_trim(const simulation::Prepared& prepared, const EquilibriumOptions& options);

}  // namespace skyhook::analysis
