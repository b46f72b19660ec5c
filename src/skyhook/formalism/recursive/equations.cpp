#include "skyhook/formalism/recursive/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "skyhook/base/in_parentheses.h"
#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Wrench;

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

}  // namespace

Eval Equations::apply_forces(const Input& in, Workspace& ws) const {
  if (!signals_.empty()) {
    const Eval e = find_signals(in.t, in.q, in.v, ws.nodes, ws.signals, ws.blame);
    if (e != Eval::ok) return e;
  }
  if (ws.keeps_forces) ws.forces.signals = ws.signals.values;
  PairMotion m;
  Wrench<double> w;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const ForceItem& item = forces_[k];
    w = {};
    if (item.between_points && !ws.keeps_forces)
      relative_point_motion(item.pair, ws.nodes, in.t, m);
    else
      relative_motion(item.pair, ws.nodes, in.t, m);
    m.rel.set = setting(*item.force, ws.signals.values);
    item.law->wrench(m.rel, w);
    if (!is_finite(w)) return blame_force("force", *item.force, *item.law, m.rel, w, ws.blame);
    add_wrench(item.pair, m, m.R_A * w.f, m.R_A * w.n, -1.0, ws.nodes);
    if (ws.keeps_forces) ws.forces.relatives[k] = m.rel, ws.forces.wrenches[k] = w;
  }
  if (const Eval e = apply_states(in, ws); e != Eval::ok) return e;
  return contributions_.empty() ? Eval::ok : apply_contributions(in, ws);
}

// G^T lambda alone, as constraint_values() has it among other things.
Eval Equations::apply_multipliers(const Input& in, Workspace& ws) const {
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    point_motion(c.pair, ws.nodes, m);
    Wrench<double> w{};
    for (const PairRow& row : c.rows) {
      if (row.row < 0) continue;
      add_multiplier(global_row(row, c.pair, m, ws.nodes), in.lambda[row.row], w);
    }
    if (c.friction >= 0) add_friction(c, m, in.lambda, ws.nodes, w);
    add_wrench(c.pair, m, w.f, w.n, 1.0, ws.nodes);
  }
  measured_reactions(in.t, in.lambda, {}, ws);
  return contributions_.empty() ? Eval::ok : contribution_reactions(in, {}, ws);
}

Eval Equations::add_coordinate_forces(const Input& in, Span tau, Workspace& ws) const {
  for (std::size_t k = 0; k < coordinate_forces_.size(); ++k) {
    const CoordinateItem& c = coordinate_forces_[k];
    const double f =
        c.force->coordinate->force(in.q[c.iq] + c.reference, in.v[c.iv], in.t, setting(*c.force, ws.signals.values));
    if (!std::isfinite(f)) {
      ws.blame = fmt::format("force of {} \"{}\" is not a number", c.force->type, c.force->name);
      return Eval::recoverable;
    }
    tau[c.iv] -= f;
    if (ws.keeps_forces) ws.forces.coordinate_forces[k] = f;
  }
  for (std::size_t k = 0; k < state_forces_.size(); ++k) {
    if (state_forces_[k].on_coordinate()) tau[state_forces_[k].iv] += ws.pulls[k];
  }
  add_modal_forces(in, tau);
  for (const MeshNode& m : tree_.meshes) m.mesh->forces->add(in.q.subspan(m.iq), in.v.subspan(m.iv), tau.subspan(m.iv));
  if (has_lines_) add_line_drag(in.t, tau, ws);
  return Eval::ok;
}

// Stiffness and damping of modes.
void Equations::add_modal_forces(const Input& in, Span tau) const {
  for (const ModalNode& modal : tree_.modal) {
    const ModalMoments& m = *tree_.nodes[modal.node].moments;
    const double *const z = in.q.data() + modal.iq, *const rate = in.v.data() + modal.iv;
    const double *k = m.K.data(), *d = m.D.data();
    for (int i = 0; i < modal.modes; ++i) {
      double sum = 0;
      for (int j = 0; j < modal.modes; ++j) sum += *k++ * z[j] + *d++ * rate[j];
      tau[modal.iv + i] += sum;
    }
  }
}

namespace {

// How far a unit of mode k moves the points of the body, at most; and how large the body is.
struct ModeSize {
  double most = 0, body = 0;
};
ModeSize size_of_mode(const model::ModalBody& modal, int k) {
  ModeSize out;
  Vec3d low, high;
  for (const model::ModalPoint& p : modal.points) {
    out.most = std::max(out.most, norm(p.shift[static_cast<std::size_t>(k)]));
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p.at[i]), high[i] = std::max(high[i], p.at[i]);
  }
  out.body = norm(high - low);
  return out;
}

// A hundredth of the coordinate that moves a point as far as the body is large.
double nominal_of_mode(const ModeSize& size) { return size.most > 0 ? 0.01 * size.body / size.most : 1.0; }

// rad/s, of the mode by itself.
double frequency_of_mode(const model::ModalBody& modal, int k) {
  const auto kk = static_cast<std::size_t>(k) * (static_cast<std::size_t>(modal.modes) + 1);
  const double mass = trace(modal.moment(k + 1, k + 1)) + (modal.rotary.empty() ? 0.0 : modal.rotary[kk]);
  return mass > 0 && !modal.stiffness.empty() ? std::sqrt(std::max(0.0, modal.stiffness[kk] / mass)) : 0.0;
}

}  // namespace

// As the joints say, by the coordinates of the tree.
void Equations::note_nominals() {
  joint_position_nominal_.assign(tree_.nq, 1.0), joint_nominal_.assign(tree_.nv, 1.0);
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) {
    std::size_t scalar = 0;
    for (const model::Dof& dof : model_->joints[j].shape.dofs) {
      const bool is_ball = dof.kind == model::Dof::Kind::ball;
      if (!is_ball && !is_cut(j) && !tree_.coordinates[j][scalar].is_driven()) {
        const Coordinate& at = tree_.coordinates[j][scalar];
        joint_position_nominal_[at.iq] = joint_nominal_[at.iv] = dof.nominal;
      }
      scalar += is_ball ? 3 : 1;
    }
  }
}

// What errors of modes are measured by.
double Equations::modal_position_nominal(int iq) const {
  for (const MeshNode& m : tree_.meshes) {
    if (iq >= m.iq && iq < m.iq + m.mesh->coordinates) return m.mesh->size[iq - m.iq];
  }
  for (const ModalNode& modal : tree_.modal) {
    if (iq >= modal.iq && iq < modal.iq + modal.modes)
      return nominal_of_mode(size_of_mode(*model_->bodies[modal.body].modal, iq - modal.iq));
  }
  return joint_position_nominal_[iq];
}

// Of a rate: that of a vibration as large as the coordinate's. But no point needs to be more exact than other velocities are, nor less: 1 m/s.
double Equations::modal_nominal(int iv) const {
  for (const MeshNode& m : tree_.meshes) {
    if (iv >= m.iv && iv < m.iv + m.mesh->coordinates) return m.mesh->size[iv - m.iv];
  }
  for (const ModalNode& modal : tree_.modal) {
    const int k = iv - modal.iv;
    if (k < 0 || k >= modal.modes) continue;
    const model::ModalBody& body = *model_->bodies[modal.body].modal;
    const ModeSize size = size_of_mode(body, k);
    const double nominal = nominal_of_mode(size);
    if (!(size.most > 0)) return nominal;
    return std::max(nominal, std::min(nominal * frequency_of_mode(body, k), 1.0 / size.most));
  }
  return joint_nominal_[iv];
}

// G^T lambda of rows between coordinates: a column of G^T is the ratios of the row.
void Equations::add_linear_multipliers(CSpan lambda, Span tau) const {
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) tau[term.iv] += term.ratio * lambda[c.row];
  }
}

// tau = M a - f + G^T lambda, wrench by wrench on the nodes and then along the coordinates.
Eval Equations::residual(const Input& in, const Output& out, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);  // M a and gyroscopic forces
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;    // - f
  if (ng() > 0) {
    if (const Eval e = constraint_values(in, out, ws); e != Eval::ok) return e;  // + G^T lambda
  }
  project(tree_, ws.nodes, out.tau);
  // what acts on coordinates without frames
  if (const Eval e = add_coordinate_forces(in, out.tau, ws); e != Eval::ok) return e;
  finish_states(in, out.tau, ws);
  if (!in.z.empty()) {
    if (const Eval e = contribution_unknowns(in, out.h, ws); e != Eval::ok) return e;
  }
  note_residual(in, ws);
  if (ng() == 0) {
    kinematics(in.q, in.v, out.qdot);
    return Eval::ok;
  }
  add_linear_multipliers(in.lambda, out.tau);
  if (has_lines_) add_line_multipliers(in.t, in.lambda, out.tau, ws);
  // q' = H (v - G^T eta), (3.6)
  for (int i = 0; i < nv(); ++i) ws.tangent[i] = in.v[i] - ws.tangent[i];
  kinematics(in.q, ws.tangent, out.qdot);
  return Eval::ok;
}

// What the nodes carry is kept beside while they take the change, and added up.
template <class Add>
Eval Equations::change_nodes(CSpan change, Span forces, Workspace& ws, Add&& add) const {
  for (std::size_t i = 0; i < ws.nodes.size(); ++i) ws.eta[i] = {ws.nodes[i].f, ws.nodes[i].n};
  recursive::change_accelerations(tree_, change, ws.nodes);
  if (const Eval e = add(); e != Eval::ok) return e;
  project(tree_, ws.nodes, forces);
  for (std::size_t i = 0; i < ws.nodes.size(); ++i) ws.nodes[i].f += ws.eta[i].f, ws.nodes[i].n += ws.eta[i].n;
  return Eval::ok;
}

Eval Equations::add_reactions(const Input& in, Workspace& ws) const {
  return change_nodes(in.a, ws.tangent, ws, [&] { return apply_multipliers(in, ws); });
}

// Inner states have mass 1.
void Equations::change_accelerations(CSpan change, Span forces, Workspace& ws) const {
  std::ignore = change_nodes(change, forces, ws, [] { return Eval::ok; });
  std::copy(change.begin() + tree_.nv, change.end(), forces.begin() + tree_.nv);
}

Eval Equations::dynamics(const Input& in, Span tau, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  project(tree_, ws.nodes, tau);
  finish_states(in, tau, ws);
  return add_coordinate_forces(in, tau, ws);
}

Eval Equations::accelerations(const Input& in, Span a, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  if (const Eval e = apply_multipliers(in, ws); e != Eval::ok) return e;
  return solve_tree(in, a, ws);
}

void Equations::add_inertia(CSpan v, CSpan a, Workspace& ws) const {
  add_inertia_forces(tree_, model_->gravity, v, a, ws.nodes);
  project(tree_, ws.nodes, ws.tangent);
}

Eval Equations::explicit_form(const Input& in, const Output& out, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  std::fill(ws.tangent.begin(), ws.tangent.end(), 0.0);
  if (const Eval e = constraint_values(in, out, ws); e != Eval::ok) return e;
  for (int i = 0; i < nv(); ++i) ws.tangent[i] = in.v[i] - ws.tangent[i];
  kinematics(in.q, ws.tangent, out.qdot);
  return solve_tree(in, out.tau, ws);
}

// The nodes carry the forces between frames.
Eval Equations::solve_tree(const Input& in, Span a, Workspace& ws) const {
  std::fill(ws.tangent.begin(), ws.tangent.end(), 0.0);
  if (const Eval e = add_coordinate_forces(in, ws.tangent, ws); e != Eval::ok) return e;
  add_linear_multipliers(in.lambda, ws.tangent);
  if (has_lines_) add_line_multipliers(in.t, in.lambda, ws.tangent, ws);
  for (double& x : ws.tangent) x = -x;  // generalised forces that act
  const int singular = solve_accelerations(tree_, model_->gravity, in.v, ws.tangent, ws.nodes, ws.articulated, a);
  std::copy(ws.rates.begin(), ws.rates.end(), a.begin() + tree_.nv);
  if (singular == 0) return Eval::ok;
  ws.blame = without_inertia(coordinate_without_inertia(singular, ws), ws);
  return Eval::recoverable;
}

// Of the coordinates of a node whose inertia is singular, the one that is resisted least.
int Equations::coordinate_without_inertia(int at, const Workspace& ws) const {
  const Node& node = tree_.nodes[at];
  if (!node.rotates()) return node.iv;
  if (node.kind == Node::Kind::free && node.leaf && !(node.mass > 0)) return node.iv;
  const Mat3d& R = ws.nodes[at].R;
  const Mat3d I = node.leaf ? node.inertia : transpose(R) * ws.articulated[at].I * R;
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (I[k][k] < I[least][least]) least = k;
  }
  return node.iv + (node.kind == Node::Kind::free ? 3 : 0) + least;
}

namespace {

// Another hinge about the same line, with nothing of mass between the two: the node that turns likewise, or 0.
int same_turn(const Tree& tree, int at, const std::vector<NodeState>& x) {
  constexpr double parallel = 1e-6;  // sine
  if (tree.nodes[at].kind != Node::Kind::revolute) return 0;
  const auto is_same = [&](int other) {
    return tree.nodes[other].kind == Node::Kind::revolute && norm(cross(x[at].s, x[other].s)) < parallel;
  };
  for (int i = tree.nodes[at].parent; i > 0 && tree.nodes[i].massless; i = tree.nodes[i].parent) {
    if (is_same(i)) return i;
  }
  for (int i = at; i + 1 < static_cast<int>(tree.nodes.size()) && tree.nodes[i].massless; ++i) {
    if (tree.nodes[i + 1].parent != i) break;
    if (is_same(i + 1)) return i + 1;
  }
  return 0;
}

}  // namespace

std::string Equations::without_inertia(int iv, const Workspace& ws) const {
  const int at = tree_.node_of_v[iv];
  const Node& node = tree_.nodes[at];
  if (const int other = same_turn(tree_, at, ws.nodes); other > 0) {
    return fmt::format(
        "gimbal lock of joint \"{}\": {} and {} turn about the same line here, so that a rotation across them has no "
        "coordinate. Use `coordinates: quaternion` for it, or lay its axes so that the middle angle stays away from 90 "
        "deg",
        tree_.v_owner[iv], tree_.q_names[node.iq], tree_.q_names[tree_.nodes[other].iq]);
  }
  int carrier = at;  // the body that the coordinate moves: the next node outward that carries one
  while (carrier + 1 < static_cast<int>(tree_.nodes.size()) &&
         std::find(tree_.node_of_body.begin(), tree_.node_of_body.end(), carrier) == tree_.node_of_body.end())
    ++carrier;
  const auto body =
      std::find(tree_.node_of_body.begin(), tree_.node_of_body.end(), carrier) - tree_.node_of_body.begin();
  const int k = iv - node.iv;
  const model::Body& moved = model_->bodies[static_cast<std::size_t>(body)];
  const std::string name = fmt::format("body \"{}\"{}", moved.name, in_parentheses(moved.where));
  if (!std::isfinite(moved.mass * dot(moved.com, moved.com)))
    return fmt::format("{} stands so far away ({:.3g} m) that its inertia about its joints is no finite number", name,
                       std::max({std::abs(moved.com.x), std::abs(moved.com.y), std::abs(moved.com.z)}));
  if (node.kind == Node::Kind::guided)
    return fmt::format("{} has no inertia that resists motion along its guide (coordinate {})", name,
                       tree_.q_names[node.iq + k]);
  const bool slides = node.is_length(k);
  const bool single = node.kind == Node::Kind::prismatic || node.kind == Node::Kind::revolute;
  const std::string axis = single ? fmt::format("({:.3g}, {:.3g}, {:.3g})", node.axis.x, node.axis.y, node.axis.z)
                                  : std::string(1, "xyz"[k % 3]);
  return fmt::format("{} has no {} {} {} (coordinate {})", name,
                     slides ? "mass that resists motion" : "inertia that resists rotation", slides ? "along" : "about",
                     axis, tree_.v_owner[iv] + (single ? tree_.q_names[node.iq].substr(tree_.v_owner[iv].size()) : ""));
}

void Equations::kinematics(CSpan q, CSpan v, Span qdot) const {
  for (const Node& node : tree_.nodes) {
    int iq = node.iq, iv = node.iv;
    if (node.scalars == 1) {  // most of them
      qdot[iq] = v[iv];
      continue;
    }
    for (int k = 0; k < node.scalars; ++k) qdot[iq++] = v[iv++];
    if (!node.rotates()) continue;
    const auto rate =
        quaternion_rate(Quaternion<double>{q[iq], q[iq + 1], q[iq + 2], q[iq + 3]}, Vec3d{v[iv], v[iv + 1], v[iv + 2]});
    qdot[iq] = rate.w, qdot[iq + 1] = rate.x, qdot[iq + 2] = rate.y, qdot[iq + 3] = rate.z;
  }
}

void Equations::plus(Span q, CSpan dv) const {
  for (const Node& node : tree_.nodes) {
    int iq = node.iq, iv = node.iv;
    for (int k = 0; k < node.scalars; ++k) q[iq++] += dv[iv++];
    if (!node.rotates()) continue;
    const auto turned = skyhook::plus(Quaternion<double>{q[iq], q[iq + 1], q[iq + 2], q[iq + 3]},
                                      Vec3d{dv[iv], dv[iv + 1], dv[iv + 2]});
    q[iq] = turned.w, q[iq + 1] = turned.x, q[iq + 2] = turned.y, q[iq + 3] = turned.z;
  }
}

}  // namespace skyhook::formalism::recursive
