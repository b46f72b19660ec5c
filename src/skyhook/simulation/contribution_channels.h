// Channels of contributions with a law of their own: coordinates, unknowns, states, what acts on `to`, what the law measures.
#pragma once
#include "skyhook/simulation/channel_list.h"

namespace skyhook::simulation {

void add_contributions(ChannelList& list, const Equations& eq);

}  // namespace skyhook::simulation
