// Velocities where the drives become others at one instant, as where an event sets a parameter of theirs.
#pragma once
#include "skyhook/formalism/fit_velocities.h"

namespace skyhook::formalism {

// As velocities_behind_jump(), from the motion that other equations of the same bodies had before.
Consistency velocities_behind_other_drives(const recursive::Equations& eq, State& state,
                                           const recursive::Equations& eq_before, const State& before);

}  // namespace skyhook::formalism
