// Exact derivatives of everything the residual computes: the tree, forces on dual numbers, constraints in closed form.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Relative;
using model::Wrench;
using Vec3l = Vec3<Lanes>;
using Mat3l = Mat3<Lanes>;

// Where the twelve local variables stand among the directions of a dual number. Rotation: R -> (1 + [turn]x) R.
enum Direction { by_shift = 0, by_turn = 3, by_velocity = 6, by_spin = 9 };

void set_point(const Relative<double>& m, Relative<Local>& out) {
  out.t.v = m.t;
  for (int k = 0; k < 3; ++k) out.r[k].v = m.r[k], out.v[k].v = m.v[k];
}

void set_rotation(const Relative<double>& m, Relative<Local>& out) {
  for (int i = 0; i < 3; ++i) {
    out.w[i].v = m.w[i];
    for (int j = 0; j < 3; ++j) out.R[i][j].v = m.R[i][j];
  }
  for (int k = 0; k < 3; ++k) {  // e_k x columns of R
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    for (int j = 0; j < 3; ++j) out.R[b][j].d[by_turn + k] = m.R[a][j], out.R[a][j].d[by_turn + k] = -m.R[b][j];
  }
}

Vec3d value_of(const Vec3<Local>& y) { return {y.x.v, y.y.v, y.z.v}; }

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

// Response of a vector to a variation of three of the local variables, all in A's axes.
Vec3l respond(const Vec3<Local>& y, Direction first, const Vec3l& x) {
  auto row = [&](const Local& c) {
    return Lanes(c.d[first]) * x.x + Lanes(c.d[first + 1]) * x.y + Lanes(c.d[first + 2]) * x.z;
  };
  return {row(y.x), row(y.y), row(y.z)};
}

// Responses of the force of an element between points to the coordinates of the path and their velocities, with the sign
// that forces have in tau = M a - f.
void force_responses(const PairMotion& m, const Vec3<Local>& y, int n, PathBlock& block) {
  const Mat3l RA(m.RA), back(-1.0 * m.RA);
  const Vec3l f(-(m.RA * value_of(y)));
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l r = transpose_times(RA, d), v = transpose_times(RA, block.load(PathBlock::slip, k));
    block.store(PathBlock::change, k, cross(d, f));  // the point of application moves along
    block.store(PathBlock::change + 3, k, back * (respond(y, by_shift, r) + respond(y, by_velocity, v)));
    block.store(PathBlock::carried + 3, k, cross(s, f));
    block.store(PathBlock::rate + 3, k, back * respond(y, by_velocity, r));
  }
}

// The same for a force and a moment that respond to all twelve local variables.
void wrench_responses(const PairMotion& m, const Wrench<Local>& w, int n, PathBlock& block) {
  const Mat3l RA(m.RA), back(-1.0 * m.RA);
  const Vec3l f(-(m.RA * value_of(w.f))), moment(-(m.RA * value_of(w.n)));
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l r = transpose_times(RA, d), turn = transpose_times(RA, s);
    const Vec3l v = transpose_times(RA, block.load(PathBlock::slip, k));
    const Vec3l spin = transpose_times(RA, block.load(PathBlock::spin, k));
    auto to_position = [&](const Vec3<Local>& y) {
      return back * (respond(y, by_shift, r) + respond(y, by_turn, turn) + respond(y, by_velocity, v) +
                     respond(y, by_spin, spin));
    };
    auto to_velocity = [&](const Vec3<Local>& y) {
      return back * (respond(y, by_velocity, r) + respond(y, by_spin, turn));
    };
    const Vec3l moved = cross(d, f);
    block.store(PathBlock::change, k, to_position(w.n) + moved);
    block.store(PathBlock::change + 3, k, to_position(w.f));
    block.store(PathBlock::carried, k, cross(s, moment) + moved);
    block.store(PathBlock::carried + 3, k, cross(s, f));
    block.store(PathBlock::rate, k, to_velocity(w.n));
    block.store(PathBlock::rate + 3, k, to_velocity(w.f));
  }
}

// The rows of one pair with their multipliers as a wrench on B, and its response to displacements (a number) and
// rotations (a matrix) of B seen from A.
struct Reaction {
  Vec3d f, n;
  double to_shift = 0;
  Mat3d to_turn;
};

void add_row(const PairRow& row, const GlobalRow& global, double multiplier, Reaction& y) {
  (global.is_moment ? y.n : y.f) += multiplier * global.unit;
  if (row.kind == PairRow::Kind::distance) y.to_shift += multiplier / row.length;
  if (!global.is_moment) return;
  const double ab = dot(global.a, global.b);  // (turn x b) x a = b (a . turn) - turn (a . b)
  y.to_turn += multiplier * (outer(global.b, global.a) - Mat3d::diagonal({ab, ab, ab}));
}

void reaction_responses(const Reaction& y, bool with_moment, int n, PathBlock& block) {
  const Vec3l f(y.f), moment(y.n);
  const Mat3l to_turn(y.to_turn);
  const Lanes to_shift(y.to_shift);
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l moved = cross(d, f);
    block.store(PathBlock::change, k, with_moment ? to_turn * s + moved : moved);
    block.store(PathBlock::change + 3, k, to_shift * d);
    if (with_moment) block.store(PathBlock::carried, k, cross(s, moment) + moved);
    block.store(PathBlock::carried + 3, k, cross(s, f));
  }
}

// How the velocity of a row changes with the rotation (is_moment) or displacement of B while w and v are held.
Vec3d velocity_response(const PairRow& row, const GlobalRow& global, const PairMotion& m, const Vec3d& w) {
  switch (row.kind) {
    case PairRow::Kind::translation: return {};
    case PairRow::Kind::distance: return (1 / row.length) * m.vw;
    default: return dot(w, global.b) * global.a - dot(global.a, global.b) * w;  // of a . (w x b)
  }
}

// One row of G and of d(G v)/dq.
void write_row(const GlobalRow& row, const Vec3d& response_of_velocity, const Pair& pair, const int* slots,
               const PathBlock& block, const Blocks& out) {
  const Vec3l unit(row.unit), held(response_of_velocity);
  const int twist = row.is_moment ? PathBlock::turn : PathBlock::shift;
  const int change = row.is_moment ? PathBlock::spin : PathBlock::slip;
  for (int k = 0; k < pair.n(); k += 4) {
    const Vec3l s = block.load(twist, k);
    const Lanes g = dot(unit, s), rate = dot(held, s) + dot(unit, block.load(change, k));
    for (int l = 0; l < std::min(4, pair.n() - k); ++l) {
      const int dof = pair.dofs[k + l], slot = slots[k + l];
      out.jacobian[dof][slot] = g[l];
      out.g_rate_part[dof][slot] = rate[l];
    }
  }
}

void clear(const Pattern& pattern, double* const* columns) {
  for (int j = 0; j < pattern.cols; ++j) std::fill_n(columns[j], pattern.start[j + 1] - pattern.start[j], 0.0);
}

}  // namespace

model::Relative<Local> Equations::seeds() {
  Relative<Local> out;
  for (int k = 0; k < 3; ++k) {
    out.r[k].d[by_shift + k] = 1.0;
    out.v[k].d[by_velocity + k] = 1.0;
    out.w[k].d[by_spin + k] = 1.0;
  }
  return out;
}

Eval Equations::force_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  PairMotion m;
  for (const ForceItem& item : forces_) {
    Wrench<Local> w{};
    if (item.between_points) {
      relative_point_motion(item.pair, ws.nodes, in.t, m);
    } else {
      relative_motion(item.pair, ws.nodes, in.t, m);
      set_rotation(m.rel, ws.local);
    }
    set_point(m.rel, ws.local);
    ws.local.set = m.rel.set = setting(*item.force);
    item.law->wrench(ws.local, w);
    if (!is_finite(w))
      return blame_force("derivative", *item.force, *item.law, m.rel, {value_of(w.f), value_of(w.n)}, ws.blame);
    ws.block.move(item.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    if (item.between_points)
      force_responses(m, w.f, item.pair.n(), ws.block);
    else
      wrench_responses(m, w, item.pair.n(), ws.block);
    ws.block.add_position_block(item.pair, item.slots, !item.between_points, out.stiffness);
    ws.block.add_velocity_block(item.pair, item.slots, !item.between_points, out.damping);
  }
  for (const CoordinateItem& c : coordinate_forces_) {
    const auto f = c.force->coordinate->force(Dual<2>::variable(in.q[c.iq] + c.reference, 0),
                                              Dual<2>::variable(in.v[c.iv], 1), in.t, setting(*c.force));
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
    point_motion(c.pair, ws.nodes, m);
    ws.block.move(c.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    const Vec3d w = ws.nodes[c.pair.B.node].w - ws.nodes[c.pair.A.node].w;
    Reaction with_lambda, with_eta;
    bool with_moment = false;
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const PairRow& row = c.rows[r];
      if (row.row < 0) continue;
      const GlobalRow global = global_row(row, c.pair, m, ws.nodes);
      add_row(row, global, in.lambda[row.row], with_lambda);
      add_row(row, global, in.eta[row.row], with_eta);
      with_moment |= global.is_moment;
      write_row(global, velocity_response(row, global, m, w), c.pair, &c.row_slots[r * n], ws.block, out);
    }
    if (c.friction < 0) {
      reaction_responses(with_lambda, with_moment, n, ws.block);
      ws.block.add_position_block(c.pair, c.slots, with_moment, out.stiffness);
    } else {
      const Rubbing r = rubbing(c, m, in.lambda, ws.nodes);
      (frictions_[c.friction].turns ? with_lambda.n : with_lambda.f) += r.force * r.axis;
      reaction_responses(with_lambda, true, n, ws.block);
      friction_responses(c, r, ws.block);
      ws.block.add_position_block(c.pair, c.slots, true, out.stiffness);
      ws.block.add_velocity_block(c.pair, c.slots, true, out.damping);
      if (out.friction) friction_columns(c, r, in.lambda, out.friction, ws.block);
    }
    reaction_responses(with_eta, with_moment, n, ws.block);
    ws.block.add_position_block(c.pair, c.loop_slots, with_moment, out.eta_part);
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) out.jacobian[term.iv][term.slot] = out.g_rate_part[term.iv][term.slot] = 0.0;
    for (const auto& term : c.terms) out.jacobian[term.iv][term.slot] += term.ratio;
  }
}

Eval Equations::derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  clear(loop_pattern_, out.eta_part);
  tree_derivatives_.evaluate(tree_, ws.nodes, out.stiffness, out.damping, out.mass, ws.derivatives);
  if (const Eval e = force_derivatives(in, out, ws); e != Eval::ok) return e;
  constraint_derivatives(in, out, ws);
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
