// For messages: drives that may prescribe one motion twice.
#pragma once
#include <string>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::simulation {

// "a.angle, d.angle": coordinates of the loop that the constraint row closes which follow their drives; empty: none.
std::string drives_of_loop(const formalism::recursive::Equations& all, int row);

}  // namespace skyhook::simulation
