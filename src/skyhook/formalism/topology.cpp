#include "skyhook/formalism/topology.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

#include "skyhook/formalism/components.h"
#include "skyhook/formalism/fill.h"
#include "skyhook/formalism/recursive/places_in_use.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::formalism {
namespace {

using model::Model;

// Joints whose coordinates rows are made of. Where such a joint is cut they are measured from its frames.
std::vector<bool> joints_in_rows(const Model& m) {
  std::vector<bool> used(m.joints.size(), false);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    for (const auto& drive : m.joints[j].drive) used[j] = used[j] || drive.has_value();
  }
  for (const auto& what : m.contributions) {
    if (what.row) {
      for (const auto& term : what.row->terms) used[term.joint] = true;
    }
    if (what.on_coordinate() && m.joints[what.joint].shape.dofs.size() > 1) used[what.joint] = true;
  }
  return used;
}

// Friction that depends on the load of a joint needs its multipliers.
std::vector<bool> joints_with_friction(const Model& m) {
  std::vector<bool> has(m.joints.size(), false);
  for (const auto& what : m.contributions) {
    if (what.friction) has[what.joint] = true;
  }
  return has;
}

// Joints whose coordinate is better at hand: with initial values, forces on it, or named as independent.
std::vector<bool> joints_wanted_in_tree(const Model& m, const std::vector<std::string>& independent) {
  std::vector<bool> wanted(m.joints.size(), false);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const auto& joint = m.joints[j];
    for (std::size_t k = 0; k < joint.position.size(); ++k)
      wanted[j] = wanted[j] || joint.position[k] || joint.velocity[k];
    for (const auto& name : independent)
      wanted[j] = wanted[j] || name == joint.name || name.rfind(joint.name + ".", 0) == 0;
  }
  for (const auto& what : m.contributions) {
    if (what.on_coordinate()) wanted[what.joint] = true;
  }
  return wanted;
}

struct Edge {
  int joint, a, b;  // a, b: vertices; 0 is the ground, body i is i + 1
};

// Grows the forest by the joints of one weight class, shallowest first: from the ground's component, then from those
// that do not reach it yet. `adjacent` holds the tree edges chosen so far.
void join_class(const std::vector<Edge>& edges, std::vector<std::vector<int>>& adjacent, std::vector<bool>& in_tree) {
  const int vertices = static_cast<int>(adjacent.size());
  std::vector<std::vector<const Edge*>> at(vertices);
  for (const Edge& e : edges) at[e.a].push_back(&e), at[e.b].push_back(&e);
  struct Candidate {
    int depth, joint, to;
    const Edge* edge;
    bool operator>(const Candidate& c) const { return std::tie(depth, joint) > std::tie(c.depth, c.joint); }
  };
  std::vector<int> depth(vertices, -1);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  auto reach = [&](int start, int level) {  // a whole component, with its depth below `start`
    depth[start] = level;
    std::vector<int> stack{start};
    while (!stack.empty()) {
      const int v = stack.back();
      stack.pop_back();
      for (const Edge* e : at[v]) queue.push({depth[v], e->joint, e->a == v ? e->b : e->a, e});
      for (int w : adjacent[v]) {
        if (depth[w] < 0) depth[w] = depth[v] + 1, stack.push_back(w);
      }
    }
  };
  std::vector<const Edge*> chosen;
  for (int root = 0; root < vertices; ++root) {
    if (depth[root] >= 0) continue;
    reach(root, 0);
    while (!queue.empty()) {
      const Candidate next = queue.top();
      queue.pop();
      if (depth[next.to] >= 0) continue;
      in_tree[next.joint] = true;
      chosen.push_back(next.edge);
      reach(next.to, next.depth + 1);
    }
  }
  for (const Edge* e : chosen) adjacent[e->a].push_back(e->b), adjacent[e->b].push_back(e->a);
}

// Three translations along the axes of the ground and a ball: coordinates that are absolute already.
bool is_free_from_ground(const model::Joint& joint) {
  const auto& dofs = joint.shape.dofs;
  if (joint.from != model::ground || dofs.size() != 4 || dofs[3].kind != model::Dof::Kind::ball) return false;
  return std::ranges::none_of(joint.drive, [](const auto& drive) { return drive.has_value(); });
}

bool is_mesh(const Model& m, int body) { return body != model::ground && model::mesh_of(m.bodies[body]) != nullptr; }

// Bodies of nodal coordinates stand on the ground, and bodies on their nodes; no joint leads to one.
bool joins_mesh(const Model& m, const model::Joint& joint) { return is_mesh(m, joint.from) || is_mesh(m, joint.to); }

// By vertex, the ground first: what joints hold to the ground that stand on no line. Joints that leave all free hold nothing.
std::vector<bool> held_without_lines(const Model& m) {
  std::vector<std::vector<int>> next(m.bodies.size() + 1);
  for (const model::Joint& joint : m.joints) {
    if (joins_mesh(m, joint) || (joint.shape.rows.empty() && !joint.shape.is_guided())) continue;
    next[joint.from + 1].push_back(joint.to + 1), next[joint.to + 1].push_back(joint.from + 1);
  }
  std::vector<bool> held(next.size(), false);
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int v = stack.back();
    stack.pop_back();
    if (held[v]) continue;
    held[v] = true;
    stack.insert(stack.end(), next[v].begin(), next[v].end());
  }
  return held;
}

// `cut_here`: joints that are cut unless the user says otherwise.
std::vector<bool> choose_joints(const Model& m, const std::vector<std::string>& independent,
                                const std::vector<bool>& cut_here) {
  const std::vector<bool> used = joints_in_rows(m), wanted = joints_wanted_in_tree(m, independent),
                          has_friction = joints_with_friction(m);
  const std::vector<bool> held = held_without_lines(m);
  const int vertices = static_cast<int>(m.bodies.size()) + 1;
  std::map<int, std::vector<Edge>, std::greater<>> classes;  // by number of constraints, most first
  Findings findings;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const auto& joint = m.joints[j];
    const bool is_guided = joint.shape.is_guided();  // there are no rows that would hold it
    if (joint.cut.value_or(false) && is_guided)
      findings.add(joint.where, "joint \"" + joint.name + "\" follows a guide and cannot be cut.",
                   "Remove `cut: true` here and cut another joint of the loop.");
    if (!joint.cut.value_or(true) && has_friction[j])
      findings.add(joint.where,
                   "joint \"" + joint.name +
                       "\" has friction that depends on its load: that is known only where the joint is cut.",
                   "Remove `cut: false`.");
    const bool cuts = cut_here[j] && (has_friction[j] || !is_free_from_ground(joint));
    if (joins_mesh(m, joint) && is_guided)
      findings.add(joint.where,
                   "joint \"" + joint.name + "\" follows a guide and stands on a beam of nodal coordinates.",
                   "Lay it on a rigid body that is fixed to a node of that beam.");
    if (joint.cut.value_or(cuts) && !is_guided) continue;
    const bool wants_tree = joint.cut.has_value();  // cut: false
    const int rows = static_cast<int>(joint.shape.rows.size());
    const int first = is_guided ? 400 : used[j] ? 200 : wants_tree ? 100 : wanted[j] ? 50 : 0;
    // What other joints hold to the ground keeps their coordinates, however few rows they have.
    const bool closes_loop = joins_mesh(m, joint) && !wants_tree && (held[joint.from + 1] || held[joint.to + 1]);
    const int weight = closes_loop ? 0 : 1 + rows + first;
    classes[weight].push_back({static_cast<int>(j), joint.from + 1, joint.to + 1});
  }
  std::vector<std::vector<int>> adjacent(vertices);
  for (int b = 0; b + 1 < vertices; ++b) {
    if (is_mesh(m, b)) adjacent[0].push_back(b + 1), adjacent[b + 1].push_back(0);  // it stands on the ground
  }
  std::vector<bool> in_tree(m.joints.size(), false);
  for (const auto& [weight, edges] : classes) join_class(edges, adjacent, in_tree);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    if (m.joints[j].shape.is_guided() && !in_tree[j]) {
      findings.add(m.joints[j].where, "joint \"" + m.joints[j].name + "\" closes a loop of joints that are all guided.",
                   "Use point_on_curve in place of a guide.");
    }
  }
  findings.throw_if_any();
  return in_tree;
}

Topology grow(const Model& m, const std::vector<bool>& in_tree);

// A joint that leads to a body at a place that its modes move: its reference frame is elsewhere, and the joint must be cut.
bool enters_at_modes(const Model& m, const TreeLink& link) {
  if (link.joint < 0) return false;
  const model::Joint& joint = m.joints[link.joint];
  return recursive::modes_move(m.bodies[link.body], link.reversed ? joint.at_from : joint.at_to);
}

// Where a guide begins at no point of the body that carries it, which one would carry the curve?
void refuse_guides_on_modes(const Model& m, const Topology& top) {
  for (const TreeLink& link : top.links) {
    if (link.joint < 0 || !m.joints[link.joint].shape.is_guided()) continue;
    const model::Joint& joint = m.joints[link.joint];
    const bool turned = joint.from == link.body;
    const int carrier = turned ? joint.to : joint.from;
    if (carrier == model::ground || !m.bodies[carrier].modal || m.bodies[carrier].modal->modes == 0) continue;
    const Vec3d at = turned ? joint.at_to : joint.at_from;
    if (recursive::point_at(m.bodies[carrier], at) < 0 && norm(at - m.bodies[carrier].at) > 1e-9)
      throw ModelError(joint.where,
                       "joint \"" + joint.name + "\" follows a guide or track on body \"" + m.bodies[carrier].name +
                           "\", which bends.",
                       "Lay it on a rigid body that is fixed to a node of that body.");
  }
}

Topology grow_over_modes(const Model& m, std::vector<bool> in_tree) {
  for (;;) {
    Topology top = grow(m, in_tree);
    const auto found = std::ranges::find_if(top.links, [&](const TreeLink& link) { return enters_at_modes(m, link); });
    if (found == top.links.end()) {
      refuse_guides_on_modes(m, top);
      return top;
    }
    const model::Joint& joint = m.joints[found->joint];
    if (joint.shape.is_guided())
      throw ModelError(
          joint.where,
          "joint \"" + joint.name + "\" follows a guide and leads to body \"" + m.bodies[found->body].name +
              "\" at a point that bends.",
          "Let it lead to the point where the body's reference frame is, or turn `from` and `to` of the guide around.");
    in_tree[found->joint] = false;
  }
}

}  // namespace

Topology choose_joint_tree(const Model& m, const std::vector<std::string>& independent) {
  return grow_over_modes(m, choose_joints(m, independent, std::vector<bool>(m.joints.size(), false)));
}

Topology choose_tree_in(const Model& m, const std::vector<std::string>& independent, model::Coordinates of_others) {
  const auto is_absolute = [&](int body) {
    return body != model::ground && m.bodies[body].coordinates.value_or(of_others) == model::Coordinates::absolute;
  };
  std::vector<bool> cut_here = joints_with_friction(m);
  bool any_absolute = false;
  for (std::size_t j = 0; j < cut_here.size(); ++j) {
    if (!is_absolute(m.joints[j].from) && !is_absolute(m.joints[j].to)) continue;
    cut_here[j] = any_absolute = true;
  }
  Topology top = grow_over_modes(m, choose_joints(m, independent, cut_here));
  top.any_absolute = any_absolute;
  return top;
}

Topology choose_tree(const Model& m, const std::vector<std::string>& independent) {
  using model::Coordinates;
  const auto wants_fill = [](const model::Body& body) { return body.coordinates == Coordinates::automatic; };
  if (std::ranges::none_of(m.bodies, wants_fill))
    return m.coordinates == Coordinates::automatic ? choose_by_fill(m, independent)
                                                   : choose_tree_in(m, independent, m.coordinates);
  Model open = m;  // in which only those that leave the choice open have none of their own
  for (model::Body& body : open.bodies) {
    body.coordinates = body.coordinates.value_or(m.coordinates);
    if (wants_fill(body)) body.coordinates.reset();
  }
  return choose_by_fill(open, independent);
}

namespace {

Topology grow(const Model& m, const std::vector<bool>& in_tree) {
  const int vertices = static_cast<int>(m.bodies.size()) + 1;
  std::vector<std::vector<int>> joints_at(vertices);
  Topology top;
  top.link_of_joint.assign(m.joints.size(), -1);
  top.link_of_body.assign(m.bodies.size(), -1);
  for (int j = 0; j < static_cast<int>(m.joints.size()); ++j) {
    if (in_tree[j])
      joints_at[m.joints[j].from + 1].push_back(j), joints_at[m.joints[j].to + 1].push_back(j);
    else
      top.cuts.push_back(j);
  }
  std::vector<TreeLink> stack;
  auto push_children = [&](int vertex, int depth, int through) {
    for (auto it = joints_at[vertex].rbegin(); it != joints_at[vertex].rend(); ++it) {
      if (*it == through) continue;
      const auto& joint = m.joints[*it];
      const bool reversed = joint.to + 1 == vertex;
      stack.push_back({reversed ? joint.from : joint.to, vertex - 1, *it, reversed, depth});
    }
  };
  auto walk = [&] {
    while (!stack.empty()) {
      const TreeLink link = stack.back();
      stack.pop_back();
      top.link_of_body[link.body] = static_cast<int>(top.links.size());
      if (link.joint >= 0) top.link_of_joint[link.joint] = static_cast<int>(top.links.size());
      top.links.push_back(link);
      push_children(link.body + 1, link.depth + 1, link.joint);
    }
  };
  push_children(0, 1, -1);
  walk();
  const auto float_bodies = [&](auto&& which) {
    for (int b = 0; b + 1 < vertices; ++b) {
      if (top.link_of_body[b] >= 0 || !which(b)) continue;
      stack.push_back({b, model::ground, -1, false, 1});
      walk();
    }
  };
  float_bodies([&](int b) { return is_mesh(m, b); });  // with what stands on their nodes
  float_bodies([](int) { return true; });  // what hangs on rods or cut joints only floats on an implied free joint
  return top;
}

}  // namespace

std::vector<bool> joints_in_loops(const Model& m) {
  std::vector<GraphEdge> edges;
  for (const auto& joint : m.joints) edges.push_back({joint.from + 1, joint.to + 1});
  for (const auto& what : m.contributions) {
    if (what.closes_loop()) edges.push_back({what.from.body + 1, what.to.body + 1});
  }
  const std::vector<int> component = biconnected_components(static_cast<int>(m.bodies.size()) + 1, edges);
  std::vector<int> size(edges.size(), 0);
  for (const int c : component) ++size[c];
  std::vector<bool> out;
  for (std::size_t j = 0; j < m.joints.size(); ++j)
    out.push_back(size[component[j]] > 1 || edges[j].a == edges[j].b);  // an edge alone is a bridge
  return out;
}

}  // namespace skyhook::formalism
