// Coordinates that count a way: along a line that goes on (guides, tracks). How far one has come says nothing about how exactly one must know where one is, so the
// tolerance of such a coordinate is absolute.
#pragma once
#include <vector>

#include "skyhook/formalism/forward.h"

namespace skyhook::formalism {

bool counts_way(const recursive::Equations& equations, int iq);
// Of all position coordinates.
std::vector<bool> which_count_ways(const recursive::Equations& equations);

}  // namespace skyhook::formalism
