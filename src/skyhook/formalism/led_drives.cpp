#include "skyhook/formalism/led_drives.h"

#include <algorithm>

#include "skyhook/formalism/reactions.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;
using recursive::Node;
using recursive::NodeState;

bool is_among(const std::vector<int>& nodes, int node) { return std::ranges::find(nodes, node) != nodes.end(); }

// What the body on the node needs to move with its drive under gravity, about the node's origin.
model::Wrench<double> inertia_of(const Node& node, const NodeState& x, const Vec3d& gravity) {
  if (node.massless) return {};
  const bool turns = node.kind == Node::Kind::turned;
  const Vec3d by_drive = x.drive.acceleration * x.s, al = turns ? by_drive : Vec3d{};
  const Vec3d c = x.R * node.com, w = transpose_times(x.R, x.w);
  const Vec3d f = node.mass * ((turns ? Vec3d{} : by_drive) - gravity + cross(al, c) + cross(x.w, cross(x.w, c)));
  return {f, x.R * (node.inertia * transpose_times(x.R, al) + cross(w, node.inertia * w)) + cross(c, f)};
}

// What elements do to it.
model::Wrench<double> forces_on(int node, const Equations& eq, const Snapshot& s) {
  model::Wrench<double> sum;
  recursive::PairMotion m;
  for (std::size_t k = 0; k < eq.forces().size(); ++k) {
    const recursive::Pair& pair = eq.forces()[k].pair;
    if (pair.A.node != node && pair.B.node != node) continue;
    point_positions(pair, s.nodes, m);
    const model::Wrench<double> on_to = s.force_of(k);
    if (pair.B.node == node) sum.f += on_to.f, sum.n += on_to.n + cross(m.r_bB, on_to.f);
    if (pair.A.node == node) sum.f -= on_to.f, sum.n -= on_to.n + cross(m.r_aA + m.r_AB, on_to.f);
  }
  return sum;
}

}  // namespace

bool lead_single_bodies(const Equations& eq, const std::vector<int>& others) {
  const recursive::Tree& tree = eq.tree();
  return eq.state_forces().empty() && eq.contributions().empty() &&
         std::ranges::all_of(tree.driven, [&](const recursive::DrivenNode& d) {
           const Node& node = tree.nodes[static_cast<std::size_t>(d.node)];
           return is_among(others, d.node) || (node.parent == 0 && node.leaf);
         });
}

void measure_led_drives(const std::vector<int>& others, Snapshot& s) {
  const Equations& eq = s.equations();
  for (std::size_t k = 0; k < s.drives.size(); ++k) {
    const int node = eq.tree().driven[k].node;
    s.drives[k] = 0;
    if (is_among(others, node)) continue;
    const NodeState& x = s.nodes[static_cast<std::size_t>(node)];
    const Node& driven = eq.tree().nodes[static_cast<std::size_t>(node)];
    const model::Wrench<double> needed = inertia_of(driven, x, eq.gravity()), given = forces_on(node, eq, s);
    s.drives[k] = along_coordinate(driven, x, needed.f - given.f, needed.n - given.n);
  }
}

}  // namespace skyhook::formalism
