// Coordinates of cut joints in rows that are sums of coordinates. The other rows are each written by one item; these are sums, so that
// what stands here adds to what the terms of the tree have put there.
#include <algorithm>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_rows.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Wrench;

// The wrench of a multiplier, with its derivatives to displacements and rotations.
Wrench<Local> wrench_of(const LocalConditions& c, double multiplier) {
  Wrench<Local> w{};
  take_row(c, 0, multiplier, w);
  return w;
}

// From the principal value to that on the present turn, times the ratio of the term.
void scale(LocalConditions& c, const MeasuredCoordinate::Turn& turn, double ratio, bool with_changes) {
  c.g[0] = ratio * (turn.sign * c.g[0] + turn.offset);
  const double factor = ratio * turn.sign;
  for (int i = 0; i < c.directions; ++i) {
    c.G[0][i] *= factor;
    for (int j = 0; with_changes && j < c.directions; ++j) c.G_change[0][i][j] *= factor;
  }
}

}  // namespace

MeasuredTerm Equations::measured_term(int joint, int scalar, double ratio, int row) const {
  const model::Joint& j = model_->joints[joint];
  return {pair_of(j), MeasuredCoordinate(j, scalar), joint, ratio, row, -1, {}, {}, {}};
}

MeasuredCoordinate::Angles Equations::angles_of(int joint) const {
  const auto at = 3 * static_cast<std::size_t>(joint);
  if (joint < 0 || at + 3 > held_->angles.size()) return {};
  return {held_->angles[at], held_->angles[at + 1], held_->angles[at + 2]};
}

MeasuredCoordinate::Angles Equations::angle_of(const model::Contribution& what) const {
  const std::size_t at = model::held_angle(*model_, model::number_of(*model_, what));
  return {at < held_->angles.size() ? held_->angles[at] : 0.0};
}

void Equations::add_cut_hinges(int j) {
  const model::Joint& joint = model_->joints[j];
  int scalar = 0;
  for (const model::Dof& dof : joint.shape.dofs) {
    if (dof.kind == model::Dof::Kind::revolute) cut_hinges_.push_back({j, MeasuredCoordinate(joint, scalar)});
    scalar += dof.kind == model::Dof::Kind::ball ? 3 : 1;
  }
}

void Equations::find_angles(const std::vector<NodeState>& nodes, Span angles) const {
  MeasuredCoordinate::Angles near{};
  for (std::size_t k = 0; k < cut_hinges_.size(); ++k) {
    const auto& [j, angle] = cut_hinges_[k];
    const model::Joint& joint = model_->joints[j];
    const int from = tree_.carrier(joint.from, joint.at_from), to = tree_.carrier(joint.to, joint.at_to);
    const Mat3d R = transpose(nodes[from].R) * nodes[to].R;
    if (angle.hinge() == 0) std::copy_n(angles.begin() + 3 * j, 3, near.begin());  // before any of the joint changes
    angles[3 * j + angle.hinge()] = angle.value(Vec3d{}, R, near);
  }
  for (const Turning& of : turning_) {
    model::Relative<double> m{};
    m.R = transpose(nodes[of.A.node].R * of.A.axes) * (nodes[of.B.node].R * of.B.axes);
    double& angle = angles[model::held_angle(*model_, model::number_of(*model_, *of.what))];
    m.set.angles[0] = angle;
    angle = of.what->axis->value(m);
  }
}

double Equations::find_angles(double t, CSpan q, CSpan v, Span angles, Workspace& ws) const {
  recursive::set_drives(tree_, t, Drives::move, ws.nodes);
  positions_velocities(tree_, q, v, ws.nodes);
  find_angles(ws.nodes, angles);
  double most2 = 0;
  for (const auto& hinge : cut_hinges_) {
    const model::Joint& joint = model_->joints[hinge.joint];
    const Vec3d w =
        ws.nodes[tree_.carrier(joint.to, joint.at_to)].w - ws.nodes[tree_.carrier(joint.from, joint.at_from)].w;
    most2 = std::max(most2, dot(w, w));
  }
  for (const Turning& of : turning_) {
    const Vec3d w = ws.nodes[of.B.node].w - ws.nodes[of.A.node].w;
    most2 = std::max(most2, dot(w, w));
  }
  return std::sqrt(most2);
}

bool Equations::reads_turns() const {
  const auto acts_on_cut = [&](const model::Contribution& what) { return what.joint >= 0 && is_cut(what.joint); };
  return !measured_terms_.empty() || !turning_.empty() || signals_read_turns() ||
         std::ranges::any_of(model_->contributions, acts_on_cut);
}

// ratio * x of the term, its gradient and, where they are wanted, that gradient's derivatives.
void Equations::look_at(const MeasuredTerm& term, double t, bool with_changes, const std::vector<NodeState>& nodes,
                        PairMotion& m, LocalConditions& c) const {
  relative_motion(term.pair, nodes, t, m);
  const model::Pose<double> pose{m.rel.r, m.rel.R};
  take_contact(term.coordinate, {}, c);
  with_changes ? evaluate_row_changes(term.coordinate, pose, c) : evaluate_rows(term.coordinate, pose, c);
  const auto turn =
      term.coordinate.turns() ? term.coordinate.turn(m.rel.R, angles_of(term.joint)) : MeasuredCoordinate::Turn{};
  scale(c, turn, term.ratio, with_changes);
}

// Adds to g, G v and, where it is wanted, G a + gII.
void Equations::add_measured_levels(double t, Span g, Span g_rate, Span g_acceleration, Workspace& ws) const {
  PairMotion m;
  Vec3d rdd, wd;
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    const bool accelerates = !g_acceleration.empty();
    const LocalConditions& c = ws.conditions;
    look_at(term, t, accelerates, ws.nodes, m, ws.conditions);
    const LocalConditions::Row speed = speeds_of(c, m.rel);
    if (!g.empty()) g[term.row] += c.g[0], g_rate[term.row] += rate_of(c, 0, speed);
    if (!accelerates) continue;
    relative_acceleration(term.pair, ws.nodes, m, rdd, wd);
    double sum = dot(c.force(0), transpose_times(m.R_A, rdd)) + dot(c.moment(0), transpose_times(m.R_A, wd));
    sum += bend_of(c, 0, speed);
    g_acceleration[term.row] += sum;
  }
}

// The wrenches of the multipliers, and of eta where it is not empty, on the nodes.
void Equations::measured_reactions(double t, CSpan lambda, CSpan eta, Workspace& ws) const {
  PairMotion m;
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    look_at(term, t, false, ws.nodes, m, ws.conditions);
    const Vec3d f = m.R_A * ws.conditions.force(0), n = m.R_A * ws.conditions.moment(0);
    add_wrench(term.pair, m, f, n, lambda[term.row], ws.nodes);
    if (!eta.empty()) add_wrench(term.pair, m, f, n, eta[term.row], ws.eta);
  }
}

void Equations::clear_measured_rows(const MeasuredTerm& term, Span jacobian) const {
  for (int k = 0; k < term.pair.n(); ++k)
    jacobian[constraint_pattern_.start[term.pair.dofs[k]] + term.row_slots[k]] = 0.0;
}

void Equations::add_measured_rows(double t, Span jacobian, Workspace& ws) const {
  PairMotion m;
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    look_at(term, t, false, ws.nodes, m, ws.conditions);
    const Vec3d f = m.R_A * ws.conditions.force(0), n = m.R_A * ws.conditions.moment(0);
    for (int k = 0; k < term.pair.n(); ++k) {
      const int dof = term.pair.dofs[k];
      const Twist twist = twist_at(tree_, ws.nodes, dof, m.p_B);
      jacobian[constraint_pattern_.start[dof] + term.row_slots[k]] +=
          term.pair.side[k] * (dot(f, twist.shift) + dot(n, twist.turn));
    }
  }
}

// Rows of G and of d(G v)/dq, d(G^T lambda)/dq and d(G^T eta)/dq.
void Equations::measured_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    for (int k = 0; k < term.pair.n(); ++k) {
      const int dof = term.pair.dofs[k], slot = term.row_slots[k];
      out.jacobian[dof][slot] = out.g_rate_part[dof][slot] = 0.0;
    }
  }
  PairMotion m;
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    LocalConditions& c = ws.conditions;
    look_at(term, in.t, true, ws.nodes, m, c);
    ws.block.move(term.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    const Local rate = rate_of_row(c, 0, speeds_of(c, m.rel));
    const int n = term.pair.n();
    for (int k = 0; k < n; ++k) {
      const LocalTwist by = local_twist(ws.block, m, k);
      const int dof = term.pair.dofs[k], slot = term.row_slots[k];
      out.jacobian[dof][slot] += by_rate(rate, by);
      out.g_rate_part[dof][slot] += by_position(rate, by);
    }
    wrench_responses(m, wrench_of(c, in.lambda[term.row]), n, ws.block);
    ws.block.add_position_block(term.pair, term.slots, true, out.stiffness);
    wrench_responses(m, wrench_of(c, in.eta[term.row]), n, ws.block);
    ws.block.add_position_block(term.pair, term.loop_slots, true, out.eta_part);
  }
}

}  // namespace skyhook::formalism::recursive
