// Exact derivatives of everything the residual computes: the tree, forces on dual numbers, constraints in closed form.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_response.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Relative;
using model::Wrench;

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

// The rows of one pair with their multipliers as a wrench on B, and its response to displacements (a number, along the
// principal tangents of a profile `bends` more) and rotations (a matrix) of B seen from A.
struct Reaction {
  Vec3d f, n;
  double to_shift = 0, bends[2] = {0, 0};
  Vec3d tangents[2];
  Mat3d to_turn;
};

void add_row(const PairRow& row, const GlobalRow& global, double multiplier, Reaction& y) {
  (global.is_moment ? y.n : y.f) += multiplier * global.unit;
  if (row.kind == PairRow::Kind::distance) y.to_shift += multiplier / row.length;
  if (row.kind == PairRow::Kind::profile) {
    y.bends[0] = multiplier * global.bend, y.tangents[0] = global.a;
    y.bends[1] = multiplier * global.other_bend, y.tangents[1] = global.b;
  }
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
    Vec3l change = to_shift * d;
    for (int i = 0; i < 2; ++i) {
      if (y.bends[i] == 0.0) continue;
      const Vec3l tangent(y.tangents[i]);
      change += Lanes(y.bends[i]) * dot(tangent, d) * tangent;
    }
    block.store(PathBlock::change + 3, k, change);
    if (with_moment) block.store(PathBlock::carried, k, cross(s, moment) + moved);
    block.store(PathBlock::carried + 3, k, cross(s, f));
  }
}

// How the velocity of a row changes with the rotation (is_moment) or displacement of B while w and v are held.
Vec3d velocity_response(const PairRow& row, const GlobalRow& global, const PairMotion& m, const Vec3d& w) {
  switch (row.kind) {
    case PairRow::Kind::translation: return {};
    case PairRow::Kind::distance: return (1 / row.length) * m.v_AB;
    case PairRow::Kind::profile:
      return global.bend * dot(global.a, m.v_AB) * global.a + global.other_bend * dot(global.b, m.v_AB) * global.b;
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
    ws.local.set = m.rel.set = setting(*item.force, ws.signals.values);
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
    const auto f =
        c.force->coordinate->force(Dual<2>::variable(in.q[c.iq] + c.reference, 0), Dual<2>::variable(in.v[c.iv], 1),
                                   in.t, setting(*c.force, ws.signals.values));
    if (!std::isfinite(f.d[0] + f.d[1])) {
      ws.blame = fmt::format("derivative of {} \"{}\" is not a number", c.force->type, c.force->name);
      return Eval::recoverable;
    }
    out.stiffness[c.iv][c.slot] -= f.d[0];
    out.damping[c.iv][c.slot] -= f.d[1];
  }
  return state_derivatives(in, out, ws);
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
      write_row(global, velocity_response(row, global, m, w), c.pair, c.row_slots.data() + r * n, ws.block, out);
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
  }
  measured_derivatives(in, out, ws);
  for (const LinearConstraint& c : linear_constraints_) {
    if (c.row < 0) continue;
    for (const auto& term : c.terms) out.jacobian[term.iv][term.slot] += term.ratio;
  }
}

// For derivatives at the same. Where guides need what nodes carry that is worth while, but most workspaces never meet a derivative; and bodies that
// bend keep more than their nodes.
void Equations::note_residual(const Input& in, Workspace& ws) const {
  if (ws.derivatives.composite.empty() || guided_.empty() || bends()) return;
  ws.residual.keep(in, *held_);
  mark(ws.nodes);
}

bool Equations::is_at_residual(const Input& in, const Workspace& ws) const {
  return is_marked(ws.nodes) && ws.residual.is(in, *held_);
}

void Equations::take_carried(Workspace& ws) const {
  for (std::size_t i = 0; i < ws.nodes.size(); ++i) ws.carried[i] = {ws.nodes[i].f, ws.nodes[i].n};
}

// The wrenches on all nodes as the residual sums them, those of eta apart. The nodes carry their inertia forces.
Eval Equations::sum_wrenches(const Input& in, Workspace& ws) const {
  if (const Eval e = apply_forces(in, ws); e != Eval::ok) return e;
  if (ng() > 0) {
    if (const Eval e = constraint_values(in, {{}, {}, ws.levels, ws.levels}, ws); e != Eval::ok) return e;
  }
  project(tree_, ws.nodes, ws.tangent);
  take_carried(ws);
  return Eval::ok;
}

// What these wrenches add through the axes of guides.
void Equations::guide_derivatives(const Blocks& out, Workspace& ws) const {
  std::array<double, static_cast<std::size_t>(GuideState::most) * GuideState::most> block;
  for (const GuidedBlock& b : guided_) {
    const Node& node = tree_.nodes[b.node];
    const NodeState &x = ws.nodes[b.node], &up = ws.nodes[node.parent];
    const int n = node.columns();
    const auto add = [&](const Vec3d& f, const Vec3d& moment, const std::vector<int>& slots, double* const* columns) {
      guide_curvature(node, up, *x.guide, f, moment, block);
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) columns[node.iv + j][slots[i + n * j]] += block[i + n * j];
      }
    };
    add(ws.carried[b.node].f, ws.carried[b.node].n, b.slots, out.stiffness);
    if (!b.loop_slots.empty()) add(ws.eta[b.node].f, ws.eta[b.node].n, b.loop_slots, out.eta_part);
  }
}

// With the points of bodies that bend as columns of their own, contracted at the end; strains of nodal meshes are over coordinates from the first.
Eval Equations::derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  if (!is_wide()) {
    const Eval e = wide_derivatives(in, out, ws);
    mesh_force_derivatives(in, out, ws);
    return e;
  }
  auto& w = ws.wide;
  const Blocks wide{w[0].on(tangent_pattern_),
                    w[1].on(tangent_pattern_),
                    w[2].on(tangent_pattern_),
                    w[3].on(loop_pattern_),
                    w[4].on(constraint_pattern_),
                    w[5].on(constraint_pattern_),
                    out.friction ? w[6].on(constraint_pattern_) : nullptr,
                    out.own ? w[7].on(own_pattern_) : nullptr,
                    out.own ? w[8].on(own_rows_pattern_) : nullptr,
                    out.own ? w[9].on(own_rows_pattern_) : nullptr};
  if (const Eval e = wide_derivatives(in, wide, ws); e != Eval::ok) return e;
  const auto put = [&](const Contraction& to, std::size_t k, double* const* columns) {
    to.apply(w[k].values, columns, ws.scratch);
  };
  put(narrow_->tangent, 0, out.stiffness), put(narrow_->tangent, 1, out.damping), put(narrow_->tangent, 2, out.mass);
  mesh_force_derivatives(in, out, ws);
  put(narrow_->loop, 3, out.eta_part);
  put(narrow_->constraint, 4, out.jacobian), put(narrow_->constraint, 5, out.g_rate_part);
  if (out.friction) put(narrow_->constraint, 6, out.friction);
  if (out.own)
    put(narrow_->own, 7, out.own), put(narrow_->own_rows, 8, out.own_stiffness),
        put(narrow_->own_rows, 9, out.own_damping);
  return Eval::ok;
}

void Equations::modal_force_derivatives(const Blocks& out) const {
  for (std::size_t which = 0; which < tree_.modal.size(); ++which) {
    const ModalNode& modal = tree_.modal[which];
    const ModalMoments& m = *tree_.nodes[modal.node].moments;
    const auto n = static_cast<std::size_t>(modal.modes);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        const int slot = modal_slots_[which][i + n * j];
        out.stiffness[modal.iv + static_cast<int>(j)][slot] += m.K[i * n + j];
        out.damping[modal.iv + static_cast<int>(j)][slot] += m.D[i * n + j];
      }
    }
  }
}

void Equations::mesh_force_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  for (std::size_t which = 0; which < tree_.meshes.size(); ++which) {
    const MeshNode& m = tree_.meshes[which];
    const Pattern& p = m.mesh->pattern;
    const auto entries = static_cast<std::size_t>(p.nonzeros());
    const Span by_q(ws.mesh_stiffness.data(), entries), by_v(ws.mesh_damping.data(), entries);
    std::ranges::fill(by_q, 0.0), std::ranges::fill(by_v, 0.0);
    m.mesh->forces->add_derivatives(in.q.subspan(m.iq), in.v.subspan(m.iv), by_q, by_v);
    const std::vector<int>& slots = mesh_slots_[which];
    for (int j = 0; j < p.cols; ++j) {
      double *const stiffness = out.stiffness[m.iv + j], *const damping = out.damping[m.iv + j];
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) stiffness[slots[k]] += by_q[k], damping[slots[k]] += by_v[k];
    }
  }
}

Eval Equations::wide_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  const bool is_known = is_at_residual(in, ws);
  if (is_known) {
    take_carried(ws);
    inertia_forces(tree_, in.a, ws.nodes);
  } else {
    if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
    inertia_forces(tree_, model_->gravity, in.q, in.v, in.a, ws.nodes);
  }
  clear(loop_pattern_, out.eta_part);
  if (ws.derivatives.composite.empty()) tree_derivatives_.resize(ws.derivatives), ws.residual.keep(in, *held_);  // room
  tree_derivatives_.evaluate(tree_, in.v, in.a, ws.nodes, out.stiffness, out.damping, out.mass, ws.derivatives);
  if (!signals_.empty()) {
    const Eval e = find_signals(in.t, in.q, in.v, ws.nodes, ws.signals, ws.blame);
    if (e != Eval::ok) return e;
  }
  if (const Eval e = force_derivatives(in, out, ws); e != Eval::ok) return e;
  modal_force_derivatives(out);
  constraint_derivatives(in, out, ws);
  if (const Eval e = contribution_derivatives(in, out, ws); e != Eval::ok) return e;
  if (const Eval e = signal_derivatives(in, out, ws); e != Eval::ok) return e;
  if (guided_.empty()) return Eval::ok;
  if (!is_known) {
    if (const Eval e = sum_wrenches(in, ws); e != Eval::ok) return e;
  }
  guide_derivatives(out, ws);
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
