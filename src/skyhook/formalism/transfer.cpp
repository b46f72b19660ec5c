#include "skyhook/formalism/transfer.h"

#include <algorithm>

#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {
namespace {

using model::Dof;
using recursive::Coordinate;
using recursive::Equations;
using recursive::NodeState;

void put_rotation(const Mat3d& R, const Vec3d& w, int iq, int iv, State& out) {
  const auto p = quaternion_of(R);
  const double q[] = {p.w, p.x, p.y, p.z};
  std::copy_n(q, 4, out.q.begin() + iq);
  for (int k = 0; k < 3; ++k) out.v[static_cast<std::size_t>(iv + k)] = w[k];
}

class Transfer {
 public:
  Transfer(const Equations& from, const State& state, const Equations& to)
      : from_(from), state_(state), to_(to), nodes_(nodes_of(from, state)) {
    out_ = {state.t, to.tree().q_design, std::vector<double>(static_cast<std::size_t>(to.nv()), 0.0)};
  }

  State run() {
    for (const TreeLink& link : to_.topology().links) link.joint < 0 ? put_body(link.body) : put_joint(link);
    for (std::size_t k = 0; k < to_.tree().own.size(); ++k) {
      const recursive::OwnNode &a = from_.tree().own[k], &b = to_.tree().own[k];
      out_.q[b.iq] = state_.q[a.iq], out_.v[b.iv] = state_.v[a.iv];
    }
    for (const recursive::MeshNode& b : to_.tree().meshes) {
      const auto a = std::ranges::find(from_.tree().meshes, b.body, &recursive::MeshNode::body);
      std::copy_n(state_.q.begin() + a->iq, b.mesh->coordinates, out_.q.begin() + b.iq);
      std::copy_n(state_.v.begin() + a->iv, b.mesh->coordinates, out_.v.begin() + b.iv);
    }
    for (const recursive::ModalNode& b : to_.tree().modal) {
      const auto a = std::ranges::find(from_.tree().modal, b.body, &recursive::ModalNode::body);
      std::copy_n(state_.q.begin() + a->iq, b.modes, out_.q.begin() + b.iq);
      std::copy_n(state_.v.begin() + a->iv, b.modes, out_.v.begin() + b.iv);
    }
    std::copy(state_.v.begin() + from_.tree().nv, state_.v.end(), out_.v.begin() + to_.tree().nv);
    return std::move(out_);
  }

 private:
  // On its implied free joint: the reference point in global axes, the angular velocity in those of the body.
  void put_body(int b) {
    const model::Body& body = to_.model().bodies[b];
    if (model::mesh_of(body)) return;  // below
    const int frame = from_.tree().node_of_body[b];
    const recursive::Place at{frame, body.at - from_.tree().origin[frame]};
    const NodeState& x = nodes_[at.node];
    const recursive::Node* last = &to_.tree().nodes[to_.tree().node_of_body[b]];
    if (last->kind == recursive::Node::Kind::modal) last = &to_.tree().nodes[last->parent];
    const recursive::Node& node = *last;
    const Vec3d r = x.R * at.r, p = x.p + r - body.at, v = x.v + cross(x.w, r);
    for (int k = 0; k < 3; ++k) out_.q[node.iq + k] = p[k], out_.v[node.iv + k] = v[k];
    put_rotation(x.R, transpose_times(x.R, x.w), node.iq + 3, node.iv + 3, out_);
  }

  void put_joint(const TreeLink& link) {
    const auto& coordinates = to_.tree().coordinates[link.joint];
    const model::Joint& joint = to_.model().joints[link.joint];
    const int before = from_.topology().link_of_joint[link.joint];
    // A guide's coordinate is the same in both directions; it stands in every tree, for it cannot be measured.
    const bool is_same =
        before >= 0 && (from_.topology().links[before].reversed == link.reversed || joint.shape.is_guided());
    if (is_same && copies(link.joint)) return;
    const JointMotion m = motion_of(joint);
    const auto angles = from_.angles_of(link.joint);
    std::vector<double> near = joint.reference;
    std::size_t hinge = 0, scalar = 0;
    for (const Dof& dof : joint.shape.dofs) {
      if (dof.kind == Dof::Kind::revolute) near[scalar] += angles[hinge++];
      scalar += dof.kind == Dof::Kind::ball ? 3 : 1;
    }
    const std::vector<double> positions = measure_positions(joint, m, near), rates = measure_rates(joint, m);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const Coordinate& at = coordinates[k];
      if (at.is_driven()) continue;
      if (!at.in_ball) {
        out_.q[at.iq] = positions[k] - joint.reference[k], out_.v[at.iv] = rates[k];
        continue;
      }
      put_rotation(link.reversed ? transpose(m.R) : m.R, link.reversed ? -m.w : transpose_times(m.R, m.w), at.iq, at.iv,
                   out_);
      k += 2;
    }
  }

  // Where both have the joint in the tree, bit by bit.
  bool copies(int j) {
    const auto &a = from_.tree().coordinates[j], &b = to_.tree().coordinates[j];
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k].is_driven() && !b[k].is_driven()) return false;
    }
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (b[k].is_driven()) continue;
      std::copy_n(state_.q.begin() + a[k].iq, a[k].in_ball ? 4 : 1, out_.q.begin() + b[k].iq);
      std::copy_n(state_.v.begin() + a[k].iv, a[k].in_ball ? 3 : 1, out_.v.begin() + b[k].iv);
      if (a[k].in_ball) k += 2;
    }
    return true;
  }

  JointMotion motion_of(const model::Joint& joint) const {
    const Mat3d design = Mat3d::identity();
    const recursive::Tree& tree = from_.tree();
    recursive::PairMotion m;
    relative_motion(recursive::make_pair(tree, tree.place(joint.from, joint.at_from, design),
                                         tree.place(joint.to, joint.at_to, design)),
                    nodes_, state_.t, m);
    return {m.rel.r, m.rel.R, m.rel.v, m.rel.w};
  }

  const Equations& from_;
  const State& state_;
  const Equations& to_;
  std::vector<NodeState> nodes_;
  State out_;
};

// visit(number among the joint's hinges, number among its scalar coordinates)
template <class Visit>
void for_each_hinge(const model::Joint& joint, Visit&& visit) {
  std::size_t hinge = 0, scalar = 0;
  for (const Dof& dof : joint.shape.dofs) {
    if (dof.kind == Dof::Kind::revolute && hinge < 3) visit(hinge++, scalar);
    scalar += dof.kind == Dof::Kind::ball ? 3 : 1;
  }
}

}  // namespace

State transfer(const Equations& from, const State& state, const Equations& to) {
  return Transfer(from, state, to).run();
}

std::vector<double> angles_at(const Equations& eq, const State& state) {
  const auto& joints = eq.model().joints;
  std::vector<double> out = eq.held()->angles;
  out.resize(model::held_angles(eq.model()), 0.0);
  const auto nodes = nodes_of(eq, state);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (eq.is_cut(static_cast<int>(j))) continue;
    for_each_hinge(joints[j], [&](std::size_t hinge, std::size_t scalar) {
      const Coordinate& at = eq.tree().coordinates[j][scalar];
      out[3 * j + hinge] = at.is_driven() ? nodes[at.node].drive.value : state.q[at.iq];
    });
  }
  eq.find_angles(nodes, out);
  return out;
}

std::vector<double> given_angles(const model::Model& model, double t) {
  std::vector<double> out(model::held_angles(model), 0.0);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    for_each_hinge(joint, [&](std::size_t hinge, std::size_t scalar) {
      const double value = joint.drive[scalar] ? joint.drive[scalar]->at(t).value
                                               : joint.position[scalar].value_or(joint.reference[scalar]);
      out[3 * j + hinge] = value - joint.reference[scalar];
    });
  }
  return out;
}

}  // namespace skyhook::formalism
