#include "skyhook/formalism/led_drives.h"

#include <algorithm>

#include "skyhook/formalism/reactions.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/led_node.h"

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

// The same with the accelerations of the node, which have gravity taken off.
model::Wrench<double> inertia_of(const Node& node, const NodeState& x) {
  if (node.massless) return {};
  const Vec3d c = x.R * node.com, w = transpose_times(x.R, x.w);
  const Vec3d f = node.mass * (x.a + cross(x.al, c) + cross(x.w, cross(x.w, c)));
  return {f, x.R * (node.inertia * transpose_times(x.R, x.al) + cross(w, node.inertia * w)) + cross(c, f)};
}

bool touches(const recursive::Pair& pair, int node) { return pair.A.node == node || pair.B.node == node; }

// What elements do to it.
model::Wrench<double> forces_on(int node, const Equations& eq, const Snapshot& s) {
  model::Wrench<double> sum;
  recursive::PairMotion m;
  const auto add = [&](const recursive::Pair& pair, const model::Wrench<double>& on_to) {
    point_positions(pair, s.nodes, m);
    if (pair.B.node == node) sum.f += on_to.f, sum.n += on_to.n + cross(m.r_bB, on_to.f);
    if (pair.A.node == node) sum.f -= on_to.f, sum.n -= on_to.n + cross(m.r_aA + m.r_AB, on_to.f);
  };
  for (std::size_t k = 0; k < eq.forces().size(); ++k) {
    if (touches(eq.forces()[k].pair, node)) add(eq.forces()[k].pair, s.force_of(k));
  }
  for (std::size_t k = 0; k < eq.contributions().size(); ++k) {
    if (touches(eq.contributions()[k].pair, node)) add(eq.contributions()[k].pair, s.wrench_of(k));
  }
  return sum;
}

bool is_single_body(int node, const Equations& eq) {
  return eq.tree().nodes[static_cast<std::size_t>(node)].leaf &&
         std::ranges::none_of(eq.pair_constraints(),
                              [&](const auto& c) { return c.active_rows > 0 && touches(c.pair, node); }) &&
         std::ranges::none_of(eq.contributions(),
                              [&](const auto& c) { return (!c.rows.empty() || c.owns > 0) && touches(c.pair, node); });
}

}  // namespace

bool lead_single_bodies(const Equations& eq, const std::vector<int>& others) {
  const recursive::Tree& tree = eq.tree();
  return eq.state_forces().empty() && eq.contributions().empty() &&
         std::ranges::all_of(tree.driven, [&](const recursive::DrivenNode& d) {
           const Node& node = tree.nodes[static_cast<std::size_t>(d.node)];
           return is_among(others, d.node) || (node.parent == 0 && node.leaf && !recursive::is_led(node));
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

bool end_in_single_bodies(const Equations& eq, const std::vector<NodeState>& nodes) {
  return eq.state_forces().empty() && eq.linear_constraints().empty() &&
         std::ranges::all_of(eq.tree().driven, [&](const recursive::DrivenNode& d) {
           return nodes[static_cast<std::size_t>(d.node)].drive.rate == 0 || is_single_body(d.node, eq);
         });
}

void measure_last_drives(Snapshot& s) {
  const Equations& eq = s.equations();
  for (std::size_t k = 0; k < s.drives.size(); ++k) {
    const int node = eq.tree().driven[k].node;
    const NodeState& x = s.nodes[static_cast<std::size_t>(node)];
    s.drives[k] = 0;
    if (x.drive.rate == 0) continue;
    const Node& driven = eq.tree().nodes[static_cast<std::size_t>(node)];
    const model::Wrench<double> needed = inertia_of(driven, x), given = forces_on(node, eq, s);
    s.drives[k] = along_coordinate(driven, x, needed.f - given.f, needed.n - given.n);
  }
}

}  // namespace skyhook::formalism
