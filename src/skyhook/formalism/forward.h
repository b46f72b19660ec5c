// Names of what stands behind the equations of motion, for headers that only pass it on.
#pragma once

namespace skyhook::formalism::recursive {

class Equations;
struct EquationsWorkspace;
struct Node;
struct NodeState;

}  // namespace skyhook::formalism::recursive
