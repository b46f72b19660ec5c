// The same model with other prescribed motions: at one instant each has the value, rate and acceleration that is given. So that all that
// asks a model by its time, channels above all, can be asked with drives that stand or differ.
#pragma once
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// `u` as Equations::inputs(). The rest of `prepared` stays.
simulation::Prepared with_drives(const simulation::Prepared& prepared, double t, const std::vector<double>& u);

}  // namespace skyhook::analysis
