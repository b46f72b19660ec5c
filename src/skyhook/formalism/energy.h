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

}  // namespace skyhook::formalism
