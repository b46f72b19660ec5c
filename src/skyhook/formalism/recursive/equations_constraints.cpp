// The constraints: G^T lambda (constraint_values), the rows at the levels of position, velocity and acceleration, and the
// matrices G and M by themselves, which explicit formulations need.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/led_node.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Motion2;
using LinearConstraint = Equations::LinearConstraint;
using PairConstraint = Equations::PairConstraint;

bool is_finite(const Motion2& m) {
  return std::isfinite(m.value) && std::isfinite(m.rate) && std::isfinite(m.acceleration);
}

// Prescribed: what stands in u, or the motion at t.
Motion2 motion_at(const model::Motion& motion, int input, double t, CSpan u) {
  if (u.empty()) return motion.at(t);
  return {u[input], u[input + 1], u[input + 2]};
}
Motion2 motion_rate_at(const model::Motion& motion, int input, double t,
                       CSpan u) {  // its acceleration is not asked for
  return u.empty() ? motion.value_and_rate(t) : motion_at(motion, input, t, u);
}
Motion2 drive_at(const LinearConstraint& c, double t, CSpan u) {
  return c.motion ? motion_at(*c.motion, c.input, t, u) : Motion2{};
}
Motion2 drive_rate_at(const LinearConstraint& c, double t, CSpan u) {
  return c.motion ? motion_rate_at(*c.motion, c.input, t, u) : Motion2{};
}

void values_of(const PairRow& row, const GlobalRow& global, const PairMotion& m, const Vec3d& w, double t, CSpan u,
               Span g, Span g_rate) {
  const double rate = dot(global.unit, global.is_moment ? w : m.v_AB);
  if (!row.motion) {
    g[row.row] = position_of(row, global, m, row.length), g_rate[row.row] = rate;
    return;
  }
  const Motion2 length = motion_rate_at(*row.motion, row.input, t, u);
  g[row.row] = position_of(row, global, m, length.value);
  g_rate[row.row] = rate - length.value * length.rate / row.length;
}

Vec3d relative_spin(const Pair& pair, const std::vector<NodeState>& x) { return x[pair.B.node].w - x[pair.A.node].w; }

void values_of(const LinearConstraint& c, const Motion2& drive, double stuck_at, CSpan q, CSpan v, Span g,
               Span g_rate) {
  g[c.row] = c.offset - drive.value - stuck_at;
  g_rate[c.row] = -drive.rate;
  for (const auto& term : c.terms) {
    g[c.row] += term.ratio * q[term.iq];
    g_rate[c.row] += term.ratio * v[term.iv];
  }
}

double prescribed_acceleration(const PairRow& row, double t, CSpan u) {
  if (!row.motion) return 0.0;
  const Motion2 length = motion_at(*row.motion, row.input, t, u);
  return (length.rate * length.rate + length.value * length.acceleration) / row.length;
}

double acceleration_of(const LinearConstraint& c, const Motion2& drive, CSpan a) {
  double sum = -drive.acceleration;
  for (const auto& term : c.terms) sum += term.ratio * a[term.iv];
  return sum;
}

}  // namespace

double Equations::stuck_at(const LinearConstraint& c) const {
  const auto row = static_cast<std::size_t>(c.row_all);
  return c.sticks() && row < held_->offsets.size() ? held_->offsets[row] : 0.0;
}

Eval Equations::set_drives(const Input& in, Workspace& ws) const {
  if (in.u.empty())
    recursive::set_drives(tree_, in.t, in.drives, ws.nodes);
  else
    recursive::set_drives(tree_, in.u, ws.nodes);
  for (const DrivenNode& driven : tree_.driven) {
    const model::Motion2& drive = ws.nodes[driven.node].drive;
    if (!is_finite(drive)) return blame_drive(model_->joints[driven.joint], driven.dof, in.t, ws.blame);
    const Node& node = tree_.nodes[driven.node];
    if (!is_led(node)) continue;
    std::string why = node.guide->refuses(std::span(&drive.value, 1));
    if (why.empty()) continue;
    ws.blame = "joint \"" + model_->joints[driven.joint].name + "\": " + why;
    return Eval::recoverable;
  }
  return guided_.empty() ? Eval::ok : look_at_guides(in.q, ws);
}

Eval Equations::look_at_guides(CSpan q, Workspace& ws) const {
  for (const GuidedBlock& b : guided_) {
    const Node& node = tree_.nodes[b.node];
    if (node.kind != Node::Kind::guided) continue;
    std::string why =
        node.guide->refuses(q.subspan(static_cast<std::size_t>(node.iq), static_cast<std::size_t>(node.nq())));
    if (why.empty()) continue;
    ws.blame = "joint \"" + tree_.v_owner[node.iv] + "\": " + why;
    return Eval::recoverable;
  }
  return Eval::ok;
}

// g, G v + gI and, through the wrenches of the multipliers, G^T lambda and G^T eta. The wrenches of lambda go to the nodes,
// where residual() sums them up with all others: nodes hold M a - f + G^T lambda, hence the sign +1, while forces have -1. Those of
// eta are summed up here, into ws.tangent.
Eval Equations::constraint_values(const Input& in, const Output& out, Workspace& ws) const {
  std::fill(ws.tangent.begin(), ws.tangent.end(), 0.0);
  std::fill(ws.eta.begin(), ws.eta.end(), Load{});
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    point_motion(c.pair, ws.nodes, m);
    const Vec3d w = relative_spin(c.pair, ws.nodes);
    model::Wrench<double> with_lambda, with_eta;
    for (const PairRow& row : c.rows) {
      if (row.row < 0) continue;
      const GlobalRow global = global_row(row, c.pair, m, ws.nodes);
      values_of(row, global, m, w, in.t, in.u, out.g, out.g_rate);
      add_multiplier(global, in.lambda[row.row], with_lambda);
      add_multiplier(global, in.eta[row.row], with_eta);
    }
    if (c.friction >= 0) add_friction(c, m, in.lambda, ws.nodes, with_lambda);
    add_wrench(c.pair, m, with_lambda.f, with_lambda.n, 1.0, ws.nodes);
    add_wrench(c.pair, m, with_eta.f, with_eta.n, 1.0, ws.eta);
  }
  // rows of contributions with laws of their own, and of coordinates that are measured
  if (const Eval e = contribution_levels(in.t, in.z, out.g, out.g_rate, {}, ws); e != Eval::ok) return e;
  if (const Eval e = contribution_reactions(in, in.eta, ws); e != Eval::ok) return e;
  measured_reactions(in.t, in.lambda, in.eta, ws);
  project(tree_, loop_nodes_, ws.nodes, ws.eta, ws.tangent);
  // rows between coordinates of the tree; residual() adds their G^T lambda
  if (has_lines_) add_line_multipliers(in.t, in.eta, ws.tangent, ws);
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    values_of(c, drive_rate_at(c, in.t, in.u), stuck_at(c), in.q, in.v, out.g, out.g_rate);
    for (const auto& term : c.terms) ws.tangent[term.iv] += term.ratio * in.eta[c.row];
  }
  add_measured_levels(in.t, out.g, out.g_rate, {}, ws);
  return Eval::ok;
}

void Equations::constraints(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws) const {
  recursive::set_drives(tree_, t, Drives::move, ws.nodes);
  positions_velocities(tree_, q, v, ws.nodes);
  constraints_of_nodes(t, q, v, g, g_rate, ws);
}

void Equations::constraints_of_nodes(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws,
                                     std::span<const char> left_out, Span jacobian) const {
  const auto is_wanted = [&](const PairRow& row) {
    return row.row >= 0 && (left_out.empty() || left_out[static_cast<std::size_t>(row.row)] == 0);
  };
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    point_motion(c.pair, ws.nodes, m);
    if (!jacobian.empty()) find_path(c.pair, m, ws);
    const Vec3d w = relative_spin(c.pair, ws.nodes);
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      if (!is_wanted(c.rows[r])) continue;
      const GlobalRow global = global_row(c.rows[r], c.pair, m, ws.nodes);
      values_of(c.rows[r], global, m, w, t, {}, g, g_rate);
      if (!jacobian.empty()) fill_row(c, r, global, jacobian, ws);
    }
  }
  std::ignore = contribution_levels(t, {}, g, g_rate, {}, ws);  // where it has no value g is no number
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row >= 0) values_of(c, drive_rate_at(c, t, {}), stuck_at(c), q, v, g, g_rate);
  }
  add_measured_levels(t, g, g_rate, {}, ws);
}

Eval Equations::constraint_accelerations(const Input& in, Span out, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  recursive::accelerations(tree_, model_->gravity, in.v, in.a, ws.nodes);
  PairMotion m;
  Vec3d rdd, wd;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    point_motion(c.pair, ws.nodes, m);
    relative_acceleration(c.pair, ws.nodes, m, rdd, wd);
    const Vec3d w = relative_spin(c.pair, ws.nodes);
    for (const PairRow& row : c.rows) {
      if (row.row < 0) continue;
      const GlobalRow global = global_row(row, c.pair, m, ws.nodes);
      out[row.row] = acceleration_of(row, global, m, w, rdd, wd) - prescribed_acceleration(row, in.t, in.u);
    }
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row >= 0) out[c.row] = acceleration_of(c, drive_at(c, in.t, in.u), in.a);
  }
  add_measured_levels(in.t, {}, {}, out, ws);
  return contribution_levels(in.t, in.z, {}, {}, out, ws);
}

// What the coordinates of a pair do at B.
void Equations::find_path(const Pair& pair, const PairMotion& m, Workspace& ws) const {
  for (int k = 0; k < pair.n(); ++k) ws.path[k] = twist_at(tree_, ws.nodes, pair.dofs[k], m.p_B);
}

// A row of G that belongs to the pair whose path was found.
void Equations::fill_row(const PairConstraint& c, std::size_t r, const GlobalRow& row, Span jacobian,
                         const Workspace& ws) const {
  const int n = c.pair.n();
  for (int k = 0; k < n; ++k) {
    const int at = constraint_pattern_.start[c.pair.dofs[k]] + c.row_slots[r * n + k];
    jacobian[at] = c.pair.side[k] * dot(row.unit, row.is_moment ? ws.path[k].turn : ws.path[k].shift);
  }
}

// The nodes have moved.
void Equations::fill_linear_rows(double t, Span jacobian, Workspace& ws) const {
  const auto at = [&](const LinearConstraint::Term& term) { return constraint_pattern_.start[term.iv] + term.slot; };
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row >= 0) clear_measured_rows(term, jacobian);
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) jacobian[at(term)] = 0.0;
    for (const auto& term : c.terms) jacobian[at(term)] += term.ratio;  // one coordinate may stand in several terms
  }
  add_measured_rows(t, jacobian, ws);
}

void Equations::matrices(double t, CSpan q, const Matrices& out, Workspace& ws) const {
  recursive::set_drives(tree_, t, Drives::move, ws.nodes);
  positions(tree_, q, ws.nodes);
  const Matrices wide = is_wide() ? wide_matrices(ws) : out;
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    point_positions(c.pair, ws.nodes, m);
    find_path(c.pair, m, ws);
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      if (c.rows[r].row >= 0) fill_row(c, r, global_row(c.rows[r], c.pair, m, ws.nodes), wide.jacobian, ws);
    }
  }
  complete_matrices(t, wide, out, ws);
}

void Equations::matrices(double t, CSpan q, CSpan v, const Matrices& out, Span g, Span g_rate, Workspace& ws) const {
  recursive::set_drives(tree_, t, Drives::move, ws.nodes);
  positions_velocities(tree_, q, v, ws.nodes);
  const Matrices wide = is_wide() ? wide_matrices(ws) : out;
  constraints_of_nodes(t, q, v, g, g_rate, ws, {}, wide.jacobian);
  complete_matrices(t, wide, out, ws);
}

// All but the rows of G between two frames.
void Equations::complete_matrices(double t, const Matrices& wide, const Matrices& out, Workspace& ws) const {
  need_mass();
  mass_matrix_.evaluate(tree_, ws.nodes, wide.mass, ws.mass);
  fill_contribution_rows(t, wide.jacobian, ws);
  fill_linear_rows(t, wide.jacobian, ws);
  if (is_wide()) contract(out, ws);
}

// Room for M and G over columns; and from there to coordinates.
Matrices Equations::wide_matrices(Workspace& ws) const {
  need_mass();
  ws.wide[2].on(mass_matrix_.pattern()), ws.wide[4].on(constraint_pattern_);
  return {ws.wide[2].values, ws.wide[4].values};
}
void Equations::contract(const Matrices& out, Workspace& ws) const {
  if (!out.mass.empty()) narrow_->mass.apply(ws.wide[2].values, out.mass, ws.scratch);
  narrow_->constraint.apply(ws.wide[4].values, out.jacobian, ws.scratch);
}

void Equations::mass_columns(const Input& in, double* const* mass, Workspace& ws) const {
  std::ignore = set_drives(in, ws);  // residual() refuses what is not finite
  positions(tree_, in.q, ws.nodes);
  if (!is_wide()) return mass_matrix_.evaluate_columns(tree_, ws.nodes, mass, ws.mass);
  mass_matrix_.evaluate_columns(tree_, ws.nodes, ws.wide[2].on(tangent_pattern_), ws.mass);
  narrow_->tangent.apply(ws.wide[2].values, mass, ws.scratch);
}

Eval Equations::levels(const Input& in, const Levels& out, Workspace& ws, const Matrices* given) const {
  if (const Eval e = dynamics(in, out.tau, ws); e != Eval::ok) return e;  // moves all nodes
  const Matrices* wanted = given;
  Matrices wide;
  if (given && is_wide()) {
    wide = wide_matrices(ws), wanted = &wide;
    if (given->mass.empty()) wide.mass = {};
  }
  if (wanted && !wanted->mass.empty()) mass_matrix_.evaluate(tree_, ws.nodes, wanted->mass, ws.mass);
  if (wanted) fill_linear_rows(in.t, wanted->jacobian, ws);
  PairMotion m;
  Vec3d rdd, wd;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    point_motion(c.pair, ws.nodes, m);
    relative_acceleration(c.pair, ws.nodes, m, rdd, wd);
    if (wanted) find_path(c.pair, m, ws);
    const Vec3d w = relative_spin(c.pair, ws.nodes);
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const PairRow& row = c.rows[r];
      if (row.row < 0) continue;
      const GlobalRow global = global_row(row, c.pair, m, ws.nodes);
      values_of(row, global, m, w, in.t, in.u, out.g, out.g_rate);
      out.g_acceleration[row.row] =
          acceleration_of(row, global, m, w, rdd, wd) - prescribed_acceleration(row, in.t, in.u);
      if (wanted) fill_row(c, r, global, wanted->jacobian, ws);
    }
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    const Motion2 drive = drive_at(c, in.t, in.u);
    values_of(c, drive, stuck_at(c), in.q, in.v, out.g, out.g_rate);
    out.g_acceleration[c.row] = acceleration_of(c, drive, in.a);
  }
  add_measured_levels(in.t, out.g, out.g_rate, out.g_acceleration, ws);
  if (wanted) fill_contribution_rows(in.t, wanted->jacobian, ws);
  if (given && is_wide()) contract(*given, ws);
  return contribution_levels(in.t, in.z, out.g, out.g_rate, out.g_acceleration, ws);
}

}  // namespace skyhook::formalism::recursive
