// The forces of drives that lift or turn one body each on the ground, as those of a road or a test rig do: they follow from the motion of
// that body and the forces on it, and no accelerations of the rest of the model are asked for.
#pragma once
#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

// `others`: nodes of drives whose forces depend on the rest. True: each of the remaining drives leads one body, on which force elements
// between frames act and nothing else.
bool lead_single_bodies(const recursive::Equations& eq, const std::vector<int>& others);
// Their Snapshot::drives, from motion and forces; 0 for the others.
void measure_led_drives(const std::vector<int>& others, Snapshot& s);

// Drives that turn a last body of the tree, as those of wheels do, on which force elements between frames and loads of contributions act and
// nothing else: where accelerations are known the force follows from that body alone. True: all drives that move at this instant.
bool end_in_single_bodies(const recursive::Equations& eq, const std::vector<recursive::NodeState>& nodes);
// Their Snapshot::drives, with the accelerations of its nodes (less gravity); 0 for those that hold still.
void measure_last_drives(Snapshot& s);

}  // namespace skyhook::formalism
