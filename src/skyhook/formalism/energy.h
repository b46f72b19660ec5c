// Energies of a snapshot, and the power that does not stem from stored energy.
#pragma once
#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

void measure_energy(Snapshot& s);
// Of dampers, actuators, drives. Needs the motion, and the forces of the driven rows and of joints with friction: multipliers of the active
// rows.
double power(const Snapshot& s, CSpan multipliers);

}  // namespace skyhook::formalism
