// How far along the line of a track a wheel is, roughly: what a joint along the same track says that carries it. Exact is the foot of the wheel on the line, which is searched from there.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/passes.h"
#include "skyhook/model/contribution.h"

namespace skyhook::formalism::recursive {

struct WayAlong {
  int node = -1;         // of that joint; -1: none carries it
  double at_design = 0;  // m, of the wheel where the joint's coordinate is zero

  double at(const std::vector<NodeState>& nodes) const;
};

// Of a contribution whose `to` stands on that node.
WayAlong way_along(const Tree& tree, const model::Contribution& what, int node);

}  // namespace skyhook::formalism::recursive
