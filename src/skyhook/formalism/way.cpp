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

std::vector<bool> which_count_ways(const recursive::Equations& equations) {
  std::vector<bool> out(static_cast<std::size_t>(equations.nq()), false);
  for (const recursive::Node& node : equations.tree().nodes) {
    if (node.kind != recursive::Node::Kind::guided) continue;
    for (int k = 0; k < node.nq(); ++k) out[static_cast<std::size_t>(node.iq + k)] = node.is_length(k);
  }
  return out;
}

}  // namespace skyhook::formalism
