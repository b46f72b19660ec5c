// Round bodies that spin fast in absolute coordinates. There a spin is a quaternion that swings with half its rate, though nothing else of a round body changes, and steps are parts of a turn: of a free shaft
// 4 (`dopri5`, 1e-4) to 60 (`bdf`, 1e-6) and more. The angle of its joint grows evenly and sets no steps. So what is known at the start is told before a run that will see many turns.
#pragma once
#include <optional>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

std::optional<Warning> fast_spin(const simulation::Prepared& prepared, const model::Experiment& experiment);

}  // namespace skyhook::analysis
