// The constraints at the levels of position, velocity and acceleration, their matrix G and the mass matrix: what explicit
// formulations need.
#include <algorithm>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Motion2;
using model::Wrench;
using LinearConstraint = Equations::LinearConstraint;
using PairConstraint = Equations::PairConstraint;

Motion2 length_at(const PairRow& row, double t) { return row.motion ? row.motion->at(t) : Motion2{row.length, 0, 0}; }
Motion2 drive_at(const LinearConstraint& c, double t) { return c.motion ? c.motion->at(t) : Motion2{}; }

void values_of(const PairRow& row, const PairMotion& m, const Motion2& length, Span g, Span g_rate) {
  g[row.row] = row_position(row, m.rel, length.value);
  g_rate[row.row] = row_velocity(row, m.rel);
  if (row.motion) g_rate[row.row] -= length.value * length.rate / row.length;
}

void values_of(const LinearConstraint& c, const Motion2& drive, CSpan q, CSpan v, Span g, Span g_rate) {
  g[c.row] = c.offset - drive.value;
  g_rate[c.row] = -drive.rate;
  for (const auto& term : c.terms) {
    g[c.row] += term.ratio * q[term.iq];
    g_rate[c.row] += term.ratio * v[term.iv];
  }
}

double acceleration_of(const PairRow& row, const PairMotion& m, const Motion2& length, const Vec3d& rdd,
                       const Vec3d& wd) {
  const double acceleration = row_acceleration(row, m.rel, rdd, wd);
  if (!row.motion) return acceleration;
  return acceleration - (length.rate * length.rate + length.value * length.acceleration) / row.length;
}

double acceleration_of(const LinearConstraint& c, const Motion2& drive, CSpan a) {
  double sum = -drive.acceleration;
  for (const auto& term : c.terms) sum += term.ratio * a[term.iv];
  return sum;
}

}  // namespace

// g, G v + gI and, through the wrenches of the multipliers, G^T lambda (into the nodes) and G^T eta (into ws.tangent).
void Equations::constraint_values(const Input& in, const Output& out, Workspace& ws) const {
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, ws.nodes, in.t, m);
    Wrench<double> with_lambda{}, with_eta{};
    for (const PairRow& row : c.rows) {
      if (row.row < 0) continue;
      values_of(row, m, length_at(row, in.t), out.g, out.g_rate);
      add_row_wrench(row, m.rel, in.lambda[row.row], with_lambda);
      add_row_wrench(row, m.rel, in.eta[row.row], with_eta);
    }
    add_wrench(c.pair, m, m.RA * with_lambda.f, m.RA * with_lambda.n, 1.0, ws.nodes);
    const Wrench<double> eta{m.RA * with_eta.f, m.RA * with_eta.n};
    for (int k = 0; k < c.pair.n(); ++k) {
      const Twist s = twist_at(tree_, ws.nodes, c.pair.dofs[k], m.pB);
      ws.tangent[c.pair.dofs[k]] += c.pair.side[k] * power(s, eta);
    }
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    values_of(c, drive_at(c, in.t), in.q, in.v, out.g, out.g_rate);
    for (const auto& term : c.terms) ws.tangent[term.iv] += term.ratio * in.eta[c.row];
  }
}

void Equations::constraints(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws) const {
  positions_velocities(tree_, q, v, ws.nodes);
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, ws.nodes, t, m);
    for (const PairRow& row : c.rows) {
      if (row.row >= 0) values_of(row, m, length_at(row, t), g, g_rate);
    }
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row >= 0) values_of(c, drive_at(c, t), q, v, g, g_rate);
  }
}

Eval Equations::constraint_accelerations(const Input& in, Span out, Workspace& ws) const {
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  recursive::accelerations(tree_, model_->gravity, in.v, in.a, ws.nodes);
  PairMotion m;
  Vec3d rdd, wd;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, ws.nodes, in.t, m);
    relative_acceleration(c.pair, ws.nodes, m, rdd, wd);
    for (const PairRow& row : c.rows) {
      if (row.row >= 0) out[row.row] = acceleration_of(row, m, length_at(row, in.t), rdd, wd);
    }
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row >= 0) out[c.row] = acceleration_of(c, drive_at(c, in.t), in.a);
  }
  return Eval::ok;
}

// Rows of G that belong to one pair.
void Equations::fill_rows(const PairConstraint& c, const PairMotion& m, Span jacobian, Workspace& ws) const {
  const int n = c.pair.n();
  for (int k = 0; k < n; ++k) ws.path[k] = twist_at(tree_, ws.nodes, c.pair.dofs[k], m.pB);
  for (std::size_t r = 0; r < c.rows.size(); ++r) {
    if (c.rows[r].row < 0) continue;
    const Wrench<double> unit = unit_wrench(c.rows[r], m);
    for (int k = 0; k < n; ++k) {
      const int at = constraint_pattern_.start[c.pair.dofs[k]] + c.row_slots[r * n + k];
      jacobian[at] = c.pair.side[k] * power(ws.path[k], unit);
    }
  }
}

void Equations::fill_linear_rows(Span jacobian) const {
  const auto at = [&](const LinearConstraint::Term& term) { return constraint_pattern_.start[term.iv] + term.slot; };
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) jacobian[at(term)] = 0.0;
    for (const auto& term : c.terms) jacobian[at(term)] += term.ratio;  // one coordinate may stand in several terms
  }
}

void Equations::matrices(double t, CSpan q, const Matrices& out, Workspace& ws) const {
  positions(tree_, q, ws.nodes);
  mass_matrix_.evaluate(tree_, ws.nodes, out.mass, ws.mass);
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    relative_position(c.pair, ws.nodes, t, m);
    fill_rows(c, m, out.jacobian, ws);
  }
  fill_linear_rows(out.jacobian);
}

void Equations::mass_columns(CSpan q, double* const* mass, Workspace& ws) const {
  positions(tree_, q, ws.nodes);
  mass_matrix_.evaluate_columns(tree_, ws.nodes, mass, ws.mass);
}

Eval Equations::levels(const Input& in, const Levels& out, Workspace& ws, const Matrices* wanted) const {
  if (const Eval e = dynamics(in, out.tau, ws); e != Eval::ok) return e;  // moves all nodes
  if (wanted) mass_matrix_.evaluate(tree_, ws.nodes, wanted->mass, ws.mass), fill_linear_rows(wanted->jacobian);
  PairMotion m;
  Vec3d rdd, wd;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, ws.nodes, in.t, m);
    relative_acceleration(c.pair, ws.nodes, m, rdd, wd);
    for (const PairRow& row : c.rows) {
      if (row.row < 0) continue;
      const Motion2 length = length_at(row, in.t);
      values_of(row, m, length, out.g, out.g_rate);
      out.g_acceleration[row.row] = acceleration_of(row, m, length, rdd, wd);
    }
    if (wanted) fill_rows(c, m, wanted->jacobian, ws);
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    const Motion2 drive = drive_at(c, in.t);
    values_of(c, drive, in.q, in.v, out.g, out.g_rate);
    out.g_acceleration[c.row] = acceleration_of(c, drive, in.a);
  }
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
