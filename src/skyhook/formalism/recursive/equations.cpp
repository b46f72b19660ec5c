#include "skyhook/formalism/recursive/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Relative;
using model::Wrench;

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

Wrench<double> value_of(const Wrench<Local>& w) { return {{w.f.x.v, w.f.y.v, w.f.z.v}, {w.n.x.v, w.n.y.v, w.n.z.v}}; }

// Of its derivatives: 0 x is NaN where x is not finite, and the sums of twelve can be taken side by side.
bool is_finite(const Wrench<Local>& w) {
  std::array<double, 12> sum{};
  for (const Local* y : {&w.f.x, &w.f.y, &w.f.z, &w.n.x, &w.n.y, &w.n.z}) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += 0.0 * y->d[k];
  }
  double all = 0.0;
  for (const double s : sum) all += s;
  return all == 0.0;
}

// The twelve local variables: displacement, rotation (R -> (1 + [turn]x) R), velocity, angular velocity.
Relative<Local> seed(const Relative<double>& m) {
  Relative<Local> out;
  out.t = Local(m.t);
  for (int k = 0; k < 3; ++k) {
    out.r[k] = Local::variable(m.r[k], k);
    out.v[k] = Local::variable(m.v[k], 6 + k);
    out.w[k] = Local::variable(m.w[k], 9 + k);
  }
  out.R = Mat3<Local>(m.R);
  for (int k = 0; k < 3; ++k) {  // e_k x columns of R
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    for (int j = 0; j < 3; ++j) out.R[b][j].d[3 + k] = m.R[a][j], out.R[a][j].d[3 + k] = -m.R[b][j];
  }
  return out;
}

// Rows of d(vector)/d(local variables), applied to a variation (r, turn, v, w) in A's axes.
Vec3d respond(const Vec3<Local>& y, const Vec3d& r, const Vec3d& turn) {
  auto row = [&](const Local& c) {
    return c.d[0] * r.x + c.d[1] * r.y + c.d[2] * r.z + c.d[3] * turn.x + c.d[4] * turn.y + c.d[5] * turn.z;
  };
  return {row(y.x), row(y.y), row(y.z)};
}
Vec3d respond_rate(const Vec3<Local>& y, const Vec3d& v, const Vec3d& w) {
  auto row = [&](const Local& c) {
    return c.d[6] * v.x + c.d[7] * v.y + c.d[8] * v.z + c.d[9] * w.x + c.d[10] * w.y + c.d[11] * w.z;
  };
  return {row(y.x), row(y.y), row(y.z)};
}

}  // namespace

Eval Equations::apply_forces(const Input& in, Workspace& ws) const {
  PairMotion m;
  Wrench<double> w;
  for (const ForceItem& item : forces_) {
    relative_motion(item.pair, ws.nodes, in.t, m);
    w = {};
    item.law->wrench(m.rel, w);
    if (!is_finite(w)) return blame_force("force", *item.force, *item.law, m.rel, w, ws.blame);
    add_wrench(item.pair, m, m.RA * w.f, m.RA * w.n, -1.0, ws.nodes);
  }
  return Eval::ok;
}

void Equations::apply_multipliers(const Input& in, Workspace& ws) const {
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, ws.nodes, in.t, m);
    Wrench<double> w{};
    for (const PairRow& row : c.rows) {
      if (row.row >= 0) add_row_wrench(row, m.rel, in.lambda[row.row], w);
    }
    add_wrench(c.pair, m, m.RA * w.f, m.RA * w.n, 1.0, ws.nodes);
  }
}

Eval Equations::add_coordinate_forces(const Input& in, Span tau, Workspace& ws) const {
  for (const CoordinateItem& c : coordinate_forces_) {
    const double f = c.force->coordinate->force(in.q[c.iq] + c.reference, in.v[c.iv], in.t);
    if (!std::isfinite(f)) {
      ws.blame = fmt::format("force of {} \"{}\" is not a number", c.force->type, c.force->name);
      return Eval::recoverable;
    }
    tau[c.iv] -= f;
  }
  return Eval::ok;
}

void Equations::add_linear_multipliers(CSpan lambda, Span tau) const {
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) tau[term.iv] += term.ratio * lambda[c.row];
  }
}

Eval Equations::residual(const Input& in, const Output& out, Workspace& ws) const {
  set_drives(in, ws);
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  if (ng() > 0) {
    std::fill(ws.tangent.begin(), ws.tangent.end(), 0.0);
    constraint_values(in, out, ws);
  }
  project(tree_, ws.nodes, out.tau);
  if (const Eval e = add_coordinate_forces(in, out.tau, ws); e != Eval::ok) return e;
  if (ng() == 0) {
    kinematics(in.q, in.v, out.qdot);
    return Eval::ok;
  }
  add_linear_multipliers(in.lambda, out.tau);
  for (int i = 0; i < nv(); ++i) ws.tangent[i] = in.v[i] - ws.tangent[i];
  kinematics(in.q, ws.tangent, out.qdot);
  return Eval::ok;
}

Eval Equations::dynamics(const Input& in, Span tau, Workspace& ws) const {
  set_drives(in, ws);
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  project(tree_, ws.nodes, tau);
  return add_coordinate_forces(in, tau, ws);
}

Eval Equations::accelerations(const Input& in, Span a, Workspace& ws) const {
  set_drives(in, ws);
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  apply_multipliers(in, ws);
  return solve_tree(in, a, ws);
}

Eval Equations::explicit_form(const Input& in, const Output& out, Workspace& ws) const {
  set_drives(in, ws);
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  std::fill(ws.tangent.begin(), ws.tangent.end(), 0.0);
  constraint_values(in, out, ws);
  for (int i = 0; i < nv(); ++i) ws.tangent[i] = in.v[i] - ws.tangent[i];
  kinematics(in.q, ws.tangent, out.qdot);
  return solve_tree(in, out.tau, ws);
}

// The nodes carry the forces between frames.
Eval Equations::solve_tree(const Input& in, Span a, Workspace& ws) const {
  std::fill(ws.tangent.begin(), ws.tangent.end(), 0.0);
  if (const Eval e = add_coordinate_forces(in, ws.tangent, ws); e != Eval::ok) return e;
  add_linear_multipliers(in.lambda, ws.tangent);
  for (double& x : ws.tangent) x = -x;  // generalised forces that act
  const int singular = solve_accelerations(tree_, model_->gravity, in.v, ws.tangent, ws.nodes, ws.articulated, a);
  if (singular == 0) return Eval::ok;
  ws.blame = without_inertia(coordinate_without_inertia(singular, ws));
  return Eval::recoverable;
}

// Of the coordinates of a node whose inertia is singular, the one that is resisted least.
int Equations::coordinate_without_inertia(int at, const Workspace& ws) const {
  const Node& node = tree_.nodes[at];
  if (node.kind != Node::Kind::ball && node.kind != Node::Kind::free) return node.iv;
  if (node.kind == Node::Kind::free && node.leaf && !(node.mass > 0)) return node.iv;
  const Mat3d& R = ws.nodes[at].R;
  const Mat3d I = node.leaf ? node.inertia : transpose(R) * ws.articulated[at].I * R;
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (I[k][k] < I[least][least]) least = k;
  }
  return node.iv + (node.kind == Node::Kind::free ? 3 : 0) + least;
}

std::string Equations::without_inertia(int iv) const {
  const int at = tree_.node_of_v[iv];
  const Node& node = tree_.nodes[at];
  int carrier = at;  // the body that the coordinate moves: the next node outward that carries one
  while (carrier + 1 < static_cast<int>(tree_.nodes.size()) &&
         std::find(tree_.node_of_body.begin(), tree_.node_of_body.end(), carrier) == tree_.node_of_body.end())
    ++carrier;
  const auto body =
      std::find(tree_.node_of_body.begin(), tree_.node_of_body.end(), carrier) - tree_.node_of_body.begin();
  const int k = iv - node.iv;
  const bool slides = node.kind == Node::Kind::prismatic || (node.kind == Node::Kind::free && k < 3);
  const bool single = node.kind == Node::Kind::prismatic || node.kind == Node::Kind::revolute;
  const std::string axis = single ? fmt::format("({:.3g}, {:.3g}, {:.3g})", node.axis.x, node.axis.y, node.axis.z)
                                  : std::string(1, "xyz"[k % 3]);
  return fmt::format("body \"{}\" has no {} {} {} (coordinate {})", model_->bodies[body].name,
                     slides ? "mass that resists motion" : "inertia that resists rotation", slides ? "along" : "about",
                     axis, tree_.v_owner[iv] + (single ? tree_.q_names[node.iq].substr(tree_.v_owner[iv].size()) : ""));
}

void Equations::kinematics(CSpan q, CSpan v, Span qdot) const {
  for (const Node& node : tree_.nodes) {
    if (node.nq() == 0) continue;
    if (node.kind == Node::Kind::revolute || node.kind == Node::Kind::prismatic) {
      qdot[node.iq] = v[node.iv];
      continue;
    }
    int iq = node.iq, iv = node.iv;
    if (node.kind == Node::Kind::free) {
      for (int k = 0; k < 3; ++k) qdot[iq++] = v[iv++];
    }
    const auto rate =
        quaternion_rate(Quaternion<double>{q[iq], q[iq + 1], q[iq + 2], q[iq + 3]}, Vec3d{v[iv], v[iv + 1], v[iv + 2]});
    qdot[iq] = rate.w, qdot[iq + 1] = rate.x, qdot[iq + 2] = rate.y, qdot[iq + 3] = rate.z;
  }
}

void Equations::plus(Span q, CSpan dv) const {
  for (const Node& node : tree_.nodes) {
    if (node.nq() == 0) continue;
    int iq = node.iq, iv = node.iv;
    const int scalars = node.kind == Node::Kind::ball ? 0 : node.kind == Node::Kind::free ? 3 : 1;
    for (int k = 0; k < scalars; ++k) q[iq++] += dv[iv++];
    if (node.kind != Node::Kind::ball && node.kind != Node::Kind::free) continue;
    const auto turned = skyhook::plus(Quaternion<double>{q[iq], q[iq + 1], q[iq + 2], q[iq + 3]},
                                      Vec3d{dv[iv], dv[iv + 1], dv[iv + 2]});
    q[iq] = turned.w, q[iq + 1] = turned.x, q[iq + 2] = turned.y, q[iq + 3] = turned.z;
  }
}

// ---- derivatives ----------------------------------------------------------------------------------------------------

void Equations::path_columns(const Pair& pair, const PairMotion& m, Workspace& ws) const {
  for (int k = 0; k < pair.n(); ++k) {
    PathColumn& c = ws.path[k];
    c.s = twist_at(tree_, ws.nodes, pair.dofs[k], m.pB);
    c.rate = twist_rate_at(tree_, ws.nodes, pair.dofs[k], pair, m, c.s);
  }
}

namespace {

using PathColumn = Equations::PathColumn;

// Response of the wrench on B (global axes, at B's point) to each coordinate of the path.
void wrench_responses(const PairMotion& m, const Wrench<Local>& w, bool with_rates, int n,
                      std::vector<PathColumn>& path) {
  const Vec3d f = m.RA * Vec3d{w.f.x.v, w.f.y.v, w.f.z.v}, moment = m.RA * Vec3d{w.n.x.v, w.n.y.v, w.n.z.v};
  for (int k = 0; k < n; ++k) {
    PathColumn& c = path[k];
    const Vec3d r = transpose_times(m.RA, c.s.shift), turn = transpose_times(m.RA, c.s.turn);
    Vec3d df = respond(w.f, r, turn), dn = respond(w.n, r, turn);
    if (with_rates) {
      const Vec3d v = transpose_times(m.RA, c.rate.shift), spin = transpose_times(m.RA, c.rate.turn);
      df += respond_rate(w.f, v, spin), dn += respond_rate(w.n, v, spin);
      c.df_v = m.RA * respond_rate(w.f, r, turn), c.dn_v = m.RA * respond_rate(w.n, r, turn);
    }
    c.df = m.RA * df;
    c.dn = m.RA * dn + cross(c.s.shift, f);  // the point of application moves along
    c.carried_f = cross(c.s.turn, f);
    c.carried_n = cross(c.s.turn, moment) + cross(c.s.shift, f);
  }
}

// Adds sign * d(generalised force of the wrench)/d(coordinates) to the columns. See docs/theory, "Elements between frames".
void add_position_block(const Pair& pair, const std::vector<int>& slots, double sign,
                        const std::vector<PathColumn>& path, double* const* columns) {
  const int n = pair.n();
  for (int j = 0; j < n; ++j) {
    const PathColumn& cj = path[j];
    double* const column = columns[pair.dofs[j]];
    const bool moves_b = pair.side[j] > 0;
    for (int i = 0; i < n; ++i) {
      const Twist& s = path[i].s;
      const double change = dot(s.turn, cj.dn) + dot(s.shift, cj.df);
      const double carried = dot(s.turn, cj.carried_n) + dot(s.shift, cj.carried_f);
      const bool row_b = pair.side[i] > 0, carries = pair.carries[i * n + j];
      double value;
      if (row_b)
        value = moves_b ? change - (carries ? carried : 0.0) : carried - change;
      else
        value = moves_b ? -change : change - (carries ? 0.0 : carried);
      column[slots[i * n + j]] += sign * value;
    }
  }
}

void add_velocity_block(const Pair& pair, const std::vector<int>& slots, double sign,
                        const std::vector<PathColumn>& path, double* const* columns) {
  const int n = pair.n();
  for (int j = 0; j < n; ++j) {
    double* const column = columns[pair.dofs[j]];
    for (int i = 0; i < n; ++i) {
      const Twist& s = path[i].s;
      column[slots[i * n + j]] +=
          sign * pair.side[i] * pair.side[j] * (dot(s.turn, path[j].dn_v) + dot(s.shift, path[j].df_v));
    }
  }
}

void clear(const Pattern& pattern, double* const* columns) {
  for (int j = 0; j < pattern.cols; ++j) std::fill_n(columns[j], pattern.start[j + 1] - pattern.start[j], 0.0);
}

}  // namespace

Eval Equations::force_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  PairMotion m;
  for (const ForceItem& item : forces_) {
    relative_motion(item.pair, ws.nodes, in.t, m);
    Wrench<Local> w{};
    item.law->wrench(seed(m.rel), w);
    if (!is_finite(w)) return blame_force("derivative", *item.force, *item.law, m.rel, value_of(w), ws.blame);
    path_columns(item.pair, m, ws);
    wrench_responses(m, w, true, item.pair.n(), ws.path);
    add_position_block(item.pair, item.slots, -1.0, ws.path, out.stiffness);
    add_velocity_block(item.pair, item.slots, -1.0, ws.path, out.damping);
  }
  for (const CoordinateItem& c : coordinate_forces_) {
    const auto f = c.force->coordinate->force(Dual<2>::variable(in.q[c.iq] + c.reference, 0),
                                              Dual<2>::variable(in.v[c.iv], 1), in.t);
    if (!std::isfinite(f.d[0] + f.d[1])) {
      ws.blame = fmt::format("derivative of {} \"{}\" is not a number", c.force->type, c.force->name);
      return Eval::recoverable;
    }
    out.stiffness[c.iv][c.slot] -= f.d[0];
    out.damping[c.iv][c.slot] -= f.d[1];
  }
  return Eval::ok;
}

void Equations::constraint_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  PairMotion m;
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    const int n = c.pair.n();
    relative_motion(c.pair, ws.nodes, in.t, m);
    path_columns(c.pair, m, ws);
    const Relative<Local> rel = seed(m.rel);
    Wrench<Local> with_lambda{}, with_eta{};
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const PairRow& row = c.rows[r];
      if (row.row < 0) continue;
      add_row_wrench(row, rel, Local(in.lambda[row.row]), with_lambda);
      add_row_wrench(row, rel, Local(in.eta[row.row]), with_eta);
      const Wrench<double> unit = unit_wrench(row, m);
      const Vec3<Local> rate{row_velocity(row, rel), Local(0.0), Local(0.0)};
      for (int k = 0; k < n; ++k) {
        const PathColumn& p = ws.path[k];
        const int slot = c.row_slots[r * n + k], dof = c.pair.dofs[k];
        out.jacobian[dof][slot] += c.pair.side[k] * power(p.s, unit);
        const double change =
            respond(rate, transpose_times(m.RA, p.s.shift), transpose_times(m.RA, p.s.turn)).x +
            respond_rate(rate, transpose_times(m.RA, p.rate.shift), transpose_times(m.RA, p.rate.turn)).x;
        out.g_rate_part[dof][slot] += c.pair.side[k] * change;
      }
    }
    wrench_responses(m, with_lambda, false, n, ws.path);
    add_position_block(c.pair, c.slots, 1.0, ws.path, out.stiffness);
    wrench_responses(m, with_eta, false, n, ws.path);
    add_position_block(c.pair, c.loop_slots, 1.0, ws.path, out.eta_part);
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) out.jacobian[term.iv][term.slot] += term.ratio;
  }
}

Eval Equations::derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  set_drives(in, ws);
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  clear(loop_pattern_, out.eta_part), clear(constraint_pattern_, out.jacobian),
      clear(constraint_pattern_, out.g_rate_part);
  tree_derivatives_.evaluate(tree_, ws.nodes, out.stiffness, out.damping, out.mass, ws.derivatives);
  if (const Eval e = force_derivatives(in, out, ws); e != Eval::ok) return e;
  constraint_derivatives(in, out, ws);
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
