// The exact derivatives of contributions with unknowns or rows of their own, and where they stand in the patterns: local ones at the motion
// of the frames, carried along the path by the chain rule.
#include <algorithm>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_rows.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {

using model::Local;
using model::Wrench;

Eval Equations::contribution_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  if (contributions_.empty()) return Eval::ok;
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    const bool has_loads = item.acts();
    const bool has_unknowns = !in.z.empty() && item.unknowns() > 0;
    if (item.active_rows == 0 && !has_loads && !has_unknowns) continue;
    if (item.line) {
      if (const Eval e = line_derivatives(item, in, out, ws); e != Eval::ok) return e;
      continue;
    }
    if (const Eval e = look_at(item, in.t, in.z, true, ws.nodes, m, ws); e != Eval::ok) return e;
    LocalConditions& c = ws.conditions;
    const bool follow = in.z.empty();
    if (!follow) c.hold();
    ws.block.move(item.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    Wrench<Local> w{};
    if (has_loads) {
      set_point(m.rel, ws.local), set_rotation(m.rel, ws.local);
      ws.local.set = m.rel.set;
      item.take_multipliers(in.lambda, ws.own_multipliers);
      bool are_numbers = item.sloped && ws.loads.differentiate(*item.sloped, ws.local, known(item, in.v, {}, m, ws));
      if (!are_numbers) {
        if (const Eval e = look_at_loads(item, in.v, in.z, in.lambda, m, ws); e != Eval::ok) return e;
        are_numbers =
            !item.sloped && ws.loads.differentiate(item.law(), ws.local, known(item, in.v, {}, m, ws), c, follow);
      }
      if (!are_numbers) return blame_loads("the derivative of its force is not a number", *item.what, m.rel, ws.blame);
      for (int i = 0; i < 3; ++i) {
        w.f[i] = ws.loads.to_motion(ws.loads.wrench.f[i], i);
        w.n[i] = ws.loads.to_motion(ws.loads.wrench.n[i], 3 + i);
      }
      state_blocks(item, m, out, ws);
      if (item.reads_multipliers() && out.friction) load_columns(item, m, out.friction, ws);
    }
    row_blocks(item, m, out, ws);
    if (item.owns > 0) own_blocks(item, in, m, out, ws);
    if (!follow) unknown_columns(item, in, m, out, ws), unknown_rows(item, m, out, ws);
    Wrench<Local> with_eta{};
    for (int r = 0; r < item.row_count(); ++r) {
      if (item.rows[r] < 0) continue;
      take_row(c, r, in.lambda[item.rows[r]], w);
      take_row(c, r, in.eta[item.rows[r]], with_eta);
    }
    wrench_responses(m, w, item.pair.n(), ws.block);
    ws.block.add_position_block(item.pair, item.slots, true, out.stiffness);
    if (has_loads) ws.block.add_velocity_block(item.pair, item.slots, true, out.damping);
    if (item.active_rows == 0) continue;
    wrench_responses(m, with_eta, item.pair.n(), ws.block);
    ws.block.add_position_block(item.pair, item.loop_slots, true, out.eta_part);
  }
  return Eval::ok;
}

// Rows of G and of d(G v)/dq; the block has the twists of the path.
void Equations::row_blocks(const ContributionItem& item, const PairMotion& m, const Blocks& out, Workspace& ws) const {
  const int n = item.pair.n();
  const LocalConditions::Row speed = speeds_of(ws.conditions, m.rel, ws.own_rate);
  for (int r = 0; r < item.row_count(); ++r) {
    if (item.rows[r] < 0) continue;
    const Local rate = rate_of_row(ws.conditions, r, speed);
    for (int k = 0; k < n; ++k) {
      const LocalTwist by = local_twist(ws.block, m, k);
      const int dof = item.pair.dofs[k], slot = item.row_slots[r * n + k];
      out.jacobian[dof][slot] = by_rate(rate, by);
      out.g_rate_part[dof][slot] = by_position(rate, by);
    }
    for (int k = 0; k < item.owns; ++k) {
      const int slot = item.own_row_slots[r * item.owns + k];
      out.jacobian[item.first_own + k][slot] = ws.conditions.G[r][6 + k];
      out.g_rate_part[item.first_own + k][slot] = rate_along(ws.conditions, r, 6 + k, speed);
    }
  }
}

// Rows c' - d, and what the states do to the forces.
void Equations::state_blocks(const ContributionItem& item, const PairMotion& m, const Blocks& out,
                             Workspace& ws) const {
  const int n = item.pair.n();
  const LocalLoads& loads = ws.loads;
  for (int c = 0; c < item.states; ++c) {
    const Local rate = loads.to_motion(0.0, loads.of_rate(c));
    const int by_c = loads.by_state(c);
    const Vec3l f(Vec3d{loads.slope(0, by_c), loads.slope(1, by_c), loads.slope(2, by_c)});
    const Vec3l moment(Vec3d{loads.slope(3, by_c), loads.slope(4, by_c), loads.slope(5, by_c)});
    for (int k = 0; k < n; k += 4) {
      const LocalTwists by = local_twists(ws.block, m, k);
      const Lanes to_position = by_position(rate, by), to_rate = by_rate(rate, by),
                  load = dot(f, by.shift) + dot(moment, by.turn);
      for (int l = 0; l < std::min(4, n - k); ++l) {
        const int dof = item.pair.dofs[k + l], at = c * n + k + l;
        out.stiffness[dof][item.state_rows[at]] = -to_position[l];
        out.damping[dof][item.state_rows[at]] = -to_rate[l];
        out.damping[item.first + c][item.state_columns[at]] = -load[l];
      }
    }
    for (int j = 0; j < item.states; ++j)
      out.damping[item.first + j][item.own[c * item.states + j]] = -loads.slope(loads.of_rate(c), loads.by_state(j));
    out.mass[item.first + c][item.own[c * item.states + c]] = 1.0;
  }
}

// -(d loads / d lambda)^T.
void Equations::load_columns(const ContributionItem& item, const PairMotion& m, double* const* columns,
                             Workspace& ws) const {
  const int n = item.pair.n();
  const LocalLoads& loads = ws.loads;
  for (int r = 0; r < item.row_count(); ++r) {
    if (item.rows[r] < 0) continue;
    const int by = loads.by_multiplier(r);
    const Vec3d f{loads.slope(0, by), loads.slope(1, by), loads.slope(2, by)};
    const Vec3d moment{loads.slope(3, by), loads.slope(4, by), loads.slope(5, by)};
    for (int k = 0; k < n; ++k) {
      const LocalTwist along = local_twist(ws.block, m, k);
      columns[item.pair.dofs[k]][item.row_slots[r * n + k]] = -(dot(f, along.shift) + dot(moment, along.turn));
    }
    for (int k = 0; k < item.owns; ++k)
      columns[item.first_own + k][item.own_row_slots[r * item.owns + k]] = -loads.slope(loads.of_force(k), by);
  }
}

void Equations::find_contribution_slots() const {
  const auto slot = [](const Pattern& pattern, int i, int j) { return pattern.find(i, j) - pattern.start[j]; };
  for (ContributionItem& item : contributions_) {
    find_unknown_slots(item), find_own_slots(item);
    item.slots = block_slots(tangent_pattern_, item.pair.dofs);
    if (item.active_rows > 0) item.loop_slots = block_slots(loop_pattern_, item.pair.dofs);
    if (item.line) item.line->tangent = line_slots(item, tangent_pattern_);
    if (item.line && item.active_rows > 0) item.line->loop = line_slots(item, loop_pattern_);
    for (int c = 0; c < item.states; ++c) {
      const int state = item.first + c;
      for (const int j : item.pair.dofs) {
        item.state_columns.push_back(slot(tangent_pattern_, j, state));
        item.state_rows.push_back(slot(tangent_pattern_, state, j));
      }
      for (int j = 0; j < item.states; ++j) item.own.push_back(slot(tangent_pattern_, state, item.first + j));
    }
  }
}

}  // namespace skyhook::formalism::recursive
