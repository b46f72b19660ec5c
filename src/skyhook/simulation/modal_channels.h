// Channels of a body that bends: its modal coordinates with their rates and accelerations, and the energy in its strain.
#pragma once
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/simulation/channel_list.h"

namespace skyhook::simulation {

void add_modes(ChannelList& list, const Equations& eq, const Equations::Modal& modal);
void add_nodes(ChannelList& list, const Equations& eq, const formalism::MeshCoordinates& mesh);

}  // namespace skyhook::simulation
