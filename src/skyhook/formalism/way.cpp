#include "skyhook/formalism/way.h"

#include <algorithm>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

bool counts_way(const recursive::Equations& equations, int iq) {
  return std::ranges::any_of(equations.tree().nodes, [&](const recursive::Node& node) {
    const int k = iq - node.iq;
    return node.kind == recursive::Node::Kind::guided && k >= 0 && k < node.nq() && node.is_length(k);
  });
}

}  // namespace skyhook::formalism
