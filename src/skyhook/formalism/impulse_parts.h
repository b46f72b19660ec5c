// Parts of a model between which no impulse passes: trees that no constraint and no touching contact ties together. What one contact
// does changes neither velocities nor accelerations in the other parts at that instant.
#pragma once
#include <vector>

#include "skyhook/formalism/forward.h"

namespace skyhook::formalism {

// Of the contacts `touching` (numbers among Equations::contacts()) those in the parts of contacts that are `marked`; in their order.
std::vector<int> contacts_that_feel(const recursive::Equations& eq, const std::vector<int>& touching,
                                    const std::vector<char>& marked);

}  // namespace skyhook::formalism
