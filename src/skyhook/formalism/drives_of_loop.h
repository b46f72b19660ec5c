// For messages: drives that may prescribe one motion twice.
#pragma once
#include <string>

#include "skyhook/formalism/forward.h"

namespace skyhook::formalism {

// "a.angle (m.yaml:8), d.angle (m.yaml:9)": coordinates of the loop that the constraint row closes which follow their drives; empty: none.
std::string drives_of_loop(const recursive::Equations& all, int row);

}  // namespace skyhook::formalism
