#include "skyhook/formalism/drives_of_loop.h"

#include <algorithm>

#include "skyhook/base/in_parentheses.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;
using recursive::Tree;

bool lies_between(const Tree& tree, int node, int a, int b) {
  while (a != b) {
    int& deeper = a > b ? a : b;  // parents have lower numbers
    if (deeper == node) return true;
    deeper = tree.nodes[deeper].parent;
  }
  return false;
}

}  // namespace

std::string drives_of_loop(const Equations& all, int row) {
  const auto holds = [&](const Equations::PairConstraint& c) {
    return std::any_of(c.rows.begin(), c.rows.end(), [&](const auto& r) { return r.row_all == row; });
  };
  const auto& constraints = all.pair_constraints();
  const auto loop = std::find_if(constraints.begin(), constraints.end(), holds);
  if (loop == constraints.end()) return {};
  std::string out;
  for (const auto& driven : all.tree().driven) {
    if (!lies_between(all.tree(), driven.node, loop->pair.A.node, loop->pair.B.node)) continue;
    const model::Joint& joint = all.model().joints[driven.joint];
    const auto dof = static_cast<std::size_t>(driven.dof);
    out += (out.empty() ? "" : ", ") + joint.name + "." + joint.shape.dofs[dof].name +
           in_parentheses(dof < joint.drive_where.size() ? joint.drive_where[dof] : joint.where);
  }
  return out;
}

}  // namespace skyhook::formalism
