// Exact derivatives of everything the residual computes: the tree, forces on dual numbers, constraints in closed form.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Relative;
using model::Wrench;
using Vec3l = Vec3<Lanes>;
using Mat3l = Mat3<Lanes>;

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

Vec3d value_of(const Vec3<Local>& y) { return {y.x.v, y.y.v, y.z.v}; }

// Response of a vector to a variation of three of the local variables, from number `first` on.
Vec3l respond(const Vec3<Local>& y, int first, const Vec3l& x) {
  auto row = [&](const Local& c) {
    return Lanes(c.d[first]) * x.x + Lanes(c.d[first + 1]) * x.y + Lanes(c.d[first + 2]) * x.z;
  };
  return {row(y.x), row(y.y), row(y.z)};
}

// Responses of the wrench -(f, n) on B to the coordinates of the path and their velocities.
void wrench_responses(const PairMotion& m, const Wrench<Local>& w, int n, PathBlock& block) {
  const Mat3l RA(m.RA);
  const Vec3l f(-(m.RA * value_of(w.f))), moment(-(m.RA * value_of(w.n)));
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l r = transpose_times(RA, d), turn = transpose_times(RA, s);
    const Vec3l v = transpose_times(RA, block.load(PathBlock::slip, k));
    const Vec3l spin = transpose_times(RA, block.load(PathBlock::spin, k));
    auto to_position = [&](const Vec3<Local>& y) {
      return -(RA * (respond(y, 0, r) + respond(y, 3, turn) + respond(y, 6, v) + respond(y, 9, spin)));
    };
    auto to_velocity = [&](const Vec3<Local>& y) { return -(RA * (respond(y, 6, r) + respond(y, 9, turn))); };
    const Vec3l moved = cross(d, f);  // the point of application moves along
    block.store(PathBlock::change, k, to_position(w.n) + moved);
    block.store(PathBlock::change + 3, k, to_position(w.f));
    block.store(PathBlock::carried, k, cross(s, moment) + moved);
    block.store(PathBlock::carried + 3, k, cross(s, f));
    block.store(PathBlock::rate, k, to_velocity(w.n));
    block.store(PathBlock::rate + 3, k, to_velocity(w.f));
  }
}

// The rows of one pair with their multipliers as a wrench on B, in global axes, and its response to displacements (a
// number) and rotations (a matrix) of B seen from A.
struct Reaction {
  Vec3d f, n;
  double by_shift = 0;
  Mat3d by_turn;
};

// One row in global axes: its wrench for a unit multiplier, so that its velocity is n.w + f.v, and how that depends on
// rotation and displacement of B while w and v are held.
struct RowLaw {
  Vec3d n, f, by_turn, by_shift;
};

RowLaw law_of(const PairRow& row, const PairMotion& m, const Mat3d& RB, const Vec3d& w, double lambda, double eta,
              Reaction& with_lambda, Reaction& with_eta) {
  RowLaw law;
  switch (row.kind) {
    case PairRow::Kind::translation: law.f = m.RA * row.a; break;
    case PairRow::Kind::distance:
      law.f = (1 / row.length) * m.rw;
      law.by_shift = (1 / row.length) * m.vw;
      with_lambda.by_shift += lambda / row.length;
      with_eta.by_shift += eta / row.length;
      break;
    case PairRow::Kind::perpendicular: {
      const Vec3d a = m.RA * row.a, b = RB * row.b;
      const double ab = dot(a, b);
      law.n = cross(b, a);
      law.by_turn = dot(w, b) * a - ab * w;  // of a . (w x b)
      const Mat3d by_turn = outer(b, a) - Mat3d::diagonal({ab, ab, ab});
      with_lambda.by_turn += lambda * by_turn;
      with_eta.by_turn += eta * by_turn;
      break;
    }
  }
  with_lambda.f += lambda * law.f, with_lambda.n += lambda * law.n;
  with_eta.f += eta * law.f, with_eta.n += eta * law.n;
  return law;
}

void reaction_responses(const Reaction& y, int n, PathBlock& block) {
  const Vec3l f(y.f), moment(y.n);
  const Mat3l by_turn(y.by_turn);
  const Lanes by_shift(y.by_shift);
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l moved = cross(d, f);
    block.store(PathBlock::change, k, by_turn * s + moved);
    block.store(PathBlock::change + 3, k, by_shift * d);
    block.store(PathBlock::carried, k, cross(s, moment) + moved);
    block.store(PathBlock::carried + 3, k, cross(s, f));
  }
}

// One row of G and of d(G v)/dq.
void write_row(const RowLaw& law, const Pair& pair, const int* slots, const PathBlock& block, const Blocks& out) {
  const Vec3l f(law.f), n(law.n), by_turn(law.by_turn), by_shift(law.by_shift);
  for (int k = 0; k < pair.n(); k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    double g[4], rate[4];
    (dot(n, s) + dot(f, d)).store(g);
    (dot(by_turn, s) + dot(by_shift, d) + dot(n, block.load(PathBlock::spin, k)) +
     dot(f, block.load(PathBlock::slip, k)))
        .store(rate);
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

Eval Equations::force_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  PairMotion m;
  for (const ForceItem& item : forces_) {
    relative_motion(item.pair, ws.nodes, in.t, m);
    Wrench<Local> w{};
    item.law->wrench(seed(m.rel), w);
    ws.block.move(item.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    wrench_responses(m, w, item.pair.n(), ws.block);
    ws.block.add_position_block(item.pair, item.slots, out.stiffness);
    ws.block.add_velocity_block(item.pair, item.slots, out.damping);
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
    point_motion(c.pair, ws.nodes, in.t, m);
    ws.block.move(c.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    const Mat3d RB = axes_of_b(c.pair, ws.nodes);
    const Vec3d w = ws.nodes[c.pair.B.node].w - ws.nodes[c.pair.A.node].w;
    Reaction with_lambda, with_eta;
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const PairRow& row = c.rows[r];
      if (row.row < 0) continue;
      const RowLaw law = law_of(row, m, RB, w, in.lambda[row.row], in.eta[row.row], with_lambda, with_eta);
      write_row(law, c.pair, &c.row_slots[r * n], ws.block, out);
    }
    reaction_responses(with_lambda, n, ws.block);
    ws.block.add_position_block(c.pair, c.slots, out.stiffness);
    reaction_responses(with_eta, n, ws.block);
    ws.block.add_position_block(c.pair, c.loop_slots, out.eta_part);
  }
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) out.jacobian[term.iv][term.slot] = out.g_rate_part[term.iv][term.slot] = 0.0;
    for (const auto& term : c.terms) out.jacobian[term.iv][term.slot] += term.ratio;
  }
}

Eval Equations::derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  clear(loop_pattern_, out.eta_part);
  tree_derivatives_.evaluate(tree_, ws.nodes, out.stiffness, out.damping, out.mass, ws.derivatives);
  if (const Eval e = force_derivatives(in, out, ws); e != Eval::ok) return e;
  constraint_derivatives(in, out, ws);
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
