// Energies of a snapshot, and the power that does not stem from stored energy.
#pragma once
#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

void measure_energy(Snapshot& s);
// Of dampers, actuators, drives. Needs the motion, and the forces of the driven rows and of joints with friction: multipliers of the active
// rows.
double power(const Snapshot& s, CSpan multipliers);
// Kinetic energy of the k-th body that bends, at the place of the snapshot, for velocities of its undeformed centre of mass, its frame and its modes.
double kinetic_of_modal(const Snapshot& s, std::size_t k, const Vec3d& v_centre, const Vec3d& w, CSpan modes);

// No drive speeds up or slows down at this instant, and none moves a constraint: the power of drives changes with the state alone, as steps follow it.
bool drives_keep_their_rates(const Snapshot& s);

}  // namespace skyhook::formalism
