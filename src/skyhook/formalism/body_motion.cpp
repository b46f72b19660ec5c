#include "skyhook/formalism/body_motion.h"

#include <algorithm>
#include <functional>

#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/modal_node.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;
using recursive::NodeState;
using Nodes = std::vector<NodeState>;

Vec3d centre(const recursive::Node& node, const NodeState& x) { return x.p + x.R * node.com; }

double half_square(const Mat3d& D, const Mat3d& J) {
  return 0.5 * (dot(D.r0, J * D.r0) + dot(D.r1, J * D.r1) + dot(D.r2, J * D.r2));
}

Mat3d second_moment(const Mat3d& inertia) { return 0.5 * trace(inertia) * Mat3d::identity() - inertia; }

// Visits every body once, from the ground or from where a floating part begins, through joints and rods. The order does not
// matter to the caller: what is in a loop is carried along rigidly.
struct Connection {
  int joint;  // -1: rod, or the start of a part that floats
  int from, to;
  bool is_loop;
};
void visit(const model::Model& m, const std::function<void(const Connection&, bool reversed)>& carry) {
  const std::vector<bool> in_loop = joints_in_loops(m);
  std::vector<Connection> all;
  for (std::size_t j = 0; j < m.joints.size(); ++j)
    all.push_back({static_cast<int>(j), m.joints[j].from, m.joints[j].to, in_loop[j]});
  for (const auto& what : m.contributions) {
    if (what.closes_loop()) all.push_back({-1, what.from.body, what.to.body, true});
  }
  std::vector<std::vector<const Connection*>> at(m.bodies.size() + 1);
  for (const Connection& c : all) at[c.from + 1].push_back(&c), at[c.to + 1].push_back(&c);
  std::vector<bool> known(m.bodies.size() + 1, false);
  for (std::size_t start = 0; start < known.size(); ++start) {
    if (known[start]) continue;
    std::vector<int> open{static_cast<int>(start)};
    known[start] = true;
    if (start > 0) carry({-1, model::ground, static_cast<int>(start) - 1, true}, false);
    while (!open.empty()) {
      const int vertex = open.back();
      open.pop_back();
      for (const Connection* c : at[vertex]) {
        const bool reversed = c->to + 1 == vertex;
        const int next = (reversed ? c->from : c->to) + 1;
        if (known[next]) continue;
        known[next] = true;
        carry(*c, reversed);
        open.push_back(next);
      }
    }
  }
}

struct Wanted {
  std::vector<double> positions, rates;
};
Wanted wanted_of(const model::Joint& joint, double t) {
  Wanted out;
  for (std::size_t k = 0; k < joint.position.size(); ++k) {
    const auto drive = joint.drive[k] ? joint.drive[k]->value_and_rate(t) : model::Motion2{};
    out.positions.push_back(joint.drive[k] ? drive.value : joint.position[k].value_or(joint.reference[k]));
    out.rates.push_back(joint.drive[k] ? drive.rate : joint.velocity[k].value_or(0.0));
  }
  return out;
}

struct Placed {  // a design point X stands at R X + d
  Mat3d R = Mat3d::identity();
  Vec3d d;
};

// A guide has its coordinates in the state, or follows a drive: they cannot be measured.
std::vector<double> guided_positions(const Equations& eq, int joint, const State& state) {
  const auto& coordinates = eq.tree().coordinates[joint];
  const model::Joint& of = eq.model().joints[joint];
  std::vector<double> out = of.reference;
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (coordinates[k].is_driven())
      out[k] = of.drive[k]->at(state.t).value;
    else
      out[k] += state.q[coordinates[k].iq];
  }
  return out;
}

}  // namespace

Poses poses_at(const Equations& eq, const Nodes& nodes) {
  Poses out;
  for (const int node : eq.tree().node_of_body)
    out.push_back({nodes[node].R, centre(eq.tree().nodes[node], nodes[node])});
  return out;
}

Velocities velocities_at(const Equations& eq, const Nodes& nodes) {
  Velocities out;
  for (const int node : eq.tree().node_of_body) {
    const NodeState& x = nodes[node];
    out.push_back({x.v + cross(x.w, x.R * eq.tree().nodes[node].com), x.w});
  }
  return out;
}

Nodes nodes_of(const Equations& eq, const State& s, Drives drives) {
  Nodes nodes(eq.tree().nodes.size());
  recursive::set_drives(eq.tree(), s.t, drives, nodes);
  recursive::positions_velocities(eq.tree(), s.q, s.v, nodes);
  return nodes;
}

Poses poses_of(const Equations& eq, const State& state) { return poses_at(eq, nodes_of(eq, state)); }

Velocities velocities_of(const Equations& eq, const State& state, Drives drives) {
  return velocities_at(eq, nodes_of(eq, state, drives));
}

Poses carried_poses(const model::Model& m, double t) {
  std::vector<Placed> placed(m.bodies.size() + 1);
  visit(m, [&](const Connection& c, bool reversed) {
    Placed &from = placed[c.from + 1], &to = placed[c.to + 1];
    if (c.is_loop) return void(reversed ? from = to : to = from);
    const model::Joint& joint = m.joints[c.joint];
    const JointMotion move = motion_of(joint, wanted_of(joint, t).positions, wanted_of(joint, t).rates);
    if (reversed) {
      from.R = to.R * transpose(move.R);
      from.d = to.R * joint.at_to + to.d - from.R * (joint.at_from + move.r);
    } else {
      to.R = from.R * move.R;
      to.d = from.R * (joint.at_from + move.r) + from.d - to.R * joint.at_to;
    }
  });
  Poses out;
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    out.push_back({placed[b + 1].R, placed[b + 1].R * m.bodies[b].com + placed[b + 1].d});
  return out;
}

Velocities carried_velocities(const Equations& eq, const State& state) {
  const double t = state.t;
  const model::Model& m = eq.model();
  const Nodes nodes = nodes_of(eq, state);
  struct Moving {  // of the global point that the body's carrier has at the origin
    Vec3d v, w;
    Vec3d at(const Vec3d& p) const { return v + cross(w, p); }
  };
  std::vector<Moving> moving(m.bodies.size() + 1);
  const auto node_of = [&](int body) { return body == model::ground ? 0 : eq.tree().node_of_body[body]; };
  visit(m, [&](const Connection& c, bool reversed) {
    Moving &from = moving[c.from + 1], &to = moving[c.to + 1];
    if (c.is_loop) return void(reversed ? from = to : to = from);
    const model::Joint& joint = m.joints[c.joint];
    const auto &a = nodes[eq.tree().carrier(c.from, joint.at_from)], &b = nodes[eq.tree().carrier(c.to, joint.at_to)];
    const Vec3d at_from = a.p + a.R * eq.tree().place(c.from, joint.at_from, {}).r;
    const Vec3d at_to = b.p + b.R * eq.tree().place(c.to, joint.at_to, {}).r;
    const JointMotion here{transpose_times(a.R, at_to - at_from), transpose(a.R) * b.R};
    const Wanted wanted = wanted_of(joint, t);
    const JointMotion rates = motion_of(joint,
                                        joint.shape.is_guided() ? guided_positions(eq, c.joint, state)
                                                                : measure_positions(joint, here, wanted.positions),
                                        wanted.rates);
    const Vec3d w = a.R * rates.w, v = a.R * rates.v;
    if (reversed) {
      from.w = to.w - w;
      from.v = to.at(at_to) - v - cross(from.w, at_to);
    } else {
      to.w = from.w + w;
      to.v = from.at(at_to) + v - cross(to.w, at_to);
    }
  });
  Velocities out;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const int node = node_of(static_cast<int>(b));
    out.push_back({moving[b + 1].at(centre(eq.tree().nodes[node], nodes[node])), moving[b + 1].w});
  }
  return out;
}

namespace {

void clear_forces(const Equations& eq, Nodes& nodes) {
  for (NodeState& x : nodes) x.f = x.n = {};
  for (const recursive::ModalNode& modal : eq.tree().modal) std::ranges::fill(nodes[modal.node].guide->modal->tau, 0.0);
  for (const recursive::MeshNode& mesh : eq.tree().meshes)
    recursive::mesh_change(eq.tree().nodes[mesh.node], std::vector<double>(eq.nv(), 0.0), nodes[mesh.node]);
}

}  // namespace

double mass_distance(const Equations& eq, const Poses& reference, const Nodes& nodes) {
  double sum = 0;
  for (std::size_t b = 0; b < reference.size(); ++b) {
    const int i = eq.tree().node_of_body[b];
    const recursive::Node& node = eq.tree().nodes[i];
    const Vec3d off = centre(node, nodes[i]) - reference[b].c;
    sum += 0.5 * node.mass * dot(off, off) + half_square(nodes[i].R - reference[b].R, second_moment(node.inertia));
  }
  return sum;
}

void mass_distance_gradient(const Equations& eq, const Poses& reference, Nodes& nodes, Span tau) {
  clear_forces(eq, nodes);
  for (std::size_t b = 0; b < reference.size(); ++b) {
    const int i = eq.tree().node_of_body[b];
    const recursive::Node& node = eq.tree().nodes[i];
    NodeState& x = nodes[i];
    const Mat3d S = x.R * second_moment(node.inertia) * transpose(reference[b].R);
    x.f = node.mass * (centre(node, x) - reference[b].c);
    x.n = Vec3d{S.r2.y - S.r1.z, S.r0.z - S.r2.x, S.r1.x - S.r0.y} + cross(x.R * node.com, x.f);
  }
  std::fill(tau.begin(), tau.end(), 0.0);
  recursive::project(eq.tree(), nodes, tau);
}

void momentum_difference(const Equations& eq, const Velocities& reference, CSpan change, Nodes& nodes, Span tau) {
  clear_forces(eq, nodes);
  for (std::size_t b = 0; b < reference.size(); ++b) {
    const int i = eq.tree().node_of_body[b];
    const recursive::Node& node = eq.tree().nodes[i];
    NodeState& x = nodes[i];
    const Vec3d com = x.R * node.com;
    if (node.kind == recursive::Node::Kind::mesh) {
      recursive::mesh_change(node, change, x);
      continue;
    }
    if (node.kind == recursive::Node::Kind::modal) {
      const Vec3d origin = reference[b].v - cross(reference[b].w, com);
      recursive::modal_change(node, x.w - reference[b].w, x.v - origin, change, x);
      continue;
    }
    x.f = node.mass * (x.v + cross(x.w, com) - reference[b].v);
    x.n = x.R * (node.inertia * transpose_times(x.R, x.w - reference[b].w)) + cross(com, x.f);
  }
  std::fill(tau.begin(), tau.end(), 0.0);
  recursive::project(eq.tree(), nodes, tau);
}

}  // namespace skyhook::formalism
