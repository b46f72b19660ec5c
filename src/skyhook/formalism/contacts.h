// Contacts at one instant, by their numbers among Parts::contacts.
#pragma once
#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

Gap gap_of(const Snapshot& s, int contact);
// How large its force is at a multiplier, positive where it presses.
double normal_force(const Snapshot& s, int contact, double multiplier);

}  // namespace skyhook::formalism
