// Contributions with unknowns or rows of their own (model/contribution.h): contact variables and algebraic unknowns are found at the
// motion of the frames, so that what the rest of the equations sees are wrenches, inner states and rows as of any other element.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Wrench;

// G v of one row with its derivatives.
Local rate_of_row(const LocalConditions& c, int r, const model::Relative<double>& m) {
  const std::array<double, 6> speed{m.v.x, m.v.y, m.v.z, m.w.x, m.w.y, m.w.z};
  Local rate(0.0);
  for (int i = 0; i < 6; ++i) {
    rate.v += c.G[r][i] * speed[i];
    rate.d[by_velocity + i] = c.G[r][i];
    for (int j = 0; j < 6; ++j) rate.d[j] += c.G_change[r][i][j] * speed[i];
  }
  return rate;
}

// Less the wrench of one row with its multiplier, which acts as -G^T lambda.
void take_row(const LocalConditions& c, int r, double multiplier, Wrench<Local>& w) {
  for (int i = 0; i < 3; ++i) {
    w.f[i].v -= multiplier * c.G[r][i], w.n[i].v -= multiplier * c.G[r][3 + i];
    for (int j = 0; j < 6; ++j)
      w.f[i].d[j] -= multiplier * c.G_change[r][i][j], w.n[i].d[j] -= multiplier * c.G_change[r][3 + i][j];
  }
}

void add_row(const LocalConditions& c, int r, double multiplier, Wrench<double>& w) {
  w.f += multiplier * c.force(r), w.n += multiplier * c.moment(r);
}

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

}  // namespace

void Equations::add_contributions() {
  int branch = 0, state = tree_.nv;
  for (const StateItem& item : state_forces_) state += item.count;
  for (const model::Contribution& what : model_->contributions) {
    ContributionItem item{&what, make_pair(tree_, tree_.place(what.from), tree_.place(what.to))};
    for (const model::RowName& row : item.declared().rows) {
      item.rows_all.push_back(static_cast<int>(rows_.size()));
      rows_.push_back({what.name, row.direction, row.is_moment, -1});
    }
    item.rows.assign(item.rows_all.size(), -1);
    item.first = state, item.states = static_cast<int>(item.declared().states.size());
    item.branch = branch;
    state += item.states, branch += item.unknowns();
    contributions_.push_back(std::move(item));
  }
}

Eval Equations::blame_contribution(const ContributionItem& item, const std::string& what, Workspace& ws) const {
  ws.blame = fmt::format("{} \"{}\": {}", item.what->type, item.what->name, what);
  return Eval::recoverable;
}

// The motion of its frames, its contact variables and its rows there; also how the rows change.
Eval Equations::look_at(const ContributionItem& item, double t, CSpan z, bool with_changes,
                        const std::vector<NodeState>& nodes, PairMotion& m, Workspace& ws) const {
  relative_motion(item.pair, nodes, t, m);
  const model::Pose<double> pose{m.rel.r, m.rel.R};
  LocalConditions& c = ws.conditions;
  bool found = true;
  if (z.empty())
    found = find_contact(item.law(), pose, item.begin_of_s(*held_), c);
  else
    take_contact(item.law(), item.s_of(z), c);
  if (found && (c.rows > 0 || c.variables > 0))
    found = with_changes ? evaluate_row_changes(item.law(), pose, c) : evaluate_rows(item.law(), pose, c);
  if (!found) return blame_contribution(item, "where its sides touch is not defined here", ws);
  const std::string why = item.law().refuses(pose, std::span(c.s).first(static_cast<std::size_t>(c.variables)));
  return why.empty() ? Eval::ok : blame_contribution(item, why, ws);
}

Eval Equations::look_at_loads(const ContributionItem& item, CSpan v, CSpan z, PairMotion& m, Workspace& ws) const {
  const auto c = v.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states));
  const auto s = std::span(ws.conditions.s).first(static_cast<std::size_t>(ws.conditions.variables));
  const auto blame = [&](const std::string& what) { return blame_loads(what, *item.what, m.rel, ws.blame); };
  if (!z.empty())
    ws.loads.evaluate_at(item.law(), m.rel, c, s, item.w_of(z));
  else if (!ws.loads.evaluate(item.law(), m.rel, c, s, item.begin_of_w(*held_)))
    return blame("its algebraic unknowns are not found");
  if (!is_finite(ws.loads.wrench)) return blame("its force is not a number");
  for (int k = 0; k < item.states; ++k) {
    if (!std::isfinite(ws.loads.rates()[static_cast<std::size_t>(k)]))
      return blame("the rate of its state " + item.declared().states[k].name + " is not a number");
  }
  return Eval::ok;
}

void Equations::find_unknowns(double t, CSpan q, CSpan v, Span found, Workspace& ws) const {
  set_drives({t, q, v, {}, {}, {}}, ws);
  positions_velocities(tree_, q, v, ws.nodes);
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (item.unknowns() == 0 || look_at(item, t, {}, false, ws.nodes, m, ws) != Eval::ok) continue;
    const auto algebraic = item.declared().algebraic.size();
    if (algebraic > 0 && look_at_loads(item, v, {}, m, ws) != Eval::ok) continue;
    const auto to = found.subspan(static_cast<std::size_t>(item.branch));
    if (algebraic > 0) std::ranges::copy(ws.loads.w(), to.begin());
    std::copy_n(ws.conditions.s.begin(), ws.conditions.variables, to.begin() + static_cast<long>(algebraic));
  }
}

Eval Equations::apply_contributions(const Input& in, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (!item.declared().has_loads) continue;
    if (const Eval e = look_at(item, in.t, in.z, false, ws.nodes, m, ws); e != Eval::ok) return e;
    if (const Eval e = look_at_loads(item, in.v, in.z, m, ws); e != Eval::ok) return e;
    add_wrench(item.pair, m, m.RA * ws.loads.wrench.f, m.RA * ws.loads.wrench.n, -1.0, ws.nodes);
    std::ranges::copy(ws.loads.rates(), ws.rates.begin() + (item.first - tree_.nv));
  }
  return Eval::ok;
}

// Of the multipliers, and those of eta where `eta` is not empty.
Eval Equations::contribution_reactions(const Input& in, CSpan eta, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    if (const Eval e = look_at(item, in.t, in.z, false, ws.nodes, m, ws); e != Eval::ok) return e;
    Wrench<double> with_lambda{}, with_eta{};
    for (int r = 0; r < item.row_count(); ++r) {
      if (item.rows[r] < 0) continue;
      add_row(ws.conditions, r, in.lambda[item.rows[r]], with_lambda);
      if (!eta.empty()) add_row(ws.conditions, r, eta[item.rows[r]], with_eta);
    }
    add_wrench(item.pair, m, m.RA * with_lambda.f, m.RA * with_lambda.n, 1.0, ws.nodes);
    if (!eta.empty()) add_wrench(item.pair, m, m.RA * with_eta.f, m.RA * with_eta.n, 1.0, ws.eta);
  }
  return Eval::ok;
}

// g and G v, and where it is wanted G a + gII.
Eval Equations::contribution_levels(double t, CSpan z, Span g, Span g_rate, Span g_acceleration, Workspace& ws) const {
  PairMotion m;
  Vec3d rdd, wd;
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    const bool accelerates = !g_acceleration.empty();
    const Eval e = look_at(item, t, z, accelerates, ws.nodes, m, ws);
    if (e != Eval::ok) {
      for (const int row : item.rows) {
        if (row >= 0 && !g.empty()) g[row] = std::numeric_limits<double>::quiet_NaN();
      }
      return e;
    }
    if (accelerates) relative_acceleration(item.pair, ws.nodes, m, rdd, wd);
    const Vec3d r_dd = transpose_times(m.RA, rdd), w_d = transpose_times(m.RA, wd);
    for (int r = 0; r < item.row_count(); ++r) {
      const int row = item.rows[r];
      if (row < 0) continue;
      const LocalConditions& c = ws.conditions;
      if (!g.empty()) g[row] = c.reduced(r), g_rate[row] = dot(c.force(r), m.rel.v) + dot(c.moment(r), m.rel.w);
      if (!accelerates) continue;
      const Local rate = rate_of_row(c, r, m.rel);
      g_acceleration[row] = dot(c.force(r), r_dd) + dot(c.moment(r), w_d) + respond_one(rate, by_shift, m.rel.v) +
                            respond_one(rate, by_turn, m.rel.w);
    }
  }
  return Eval::ok;
}

void Equations::fill_contribution_rows(double t, Span jacobian, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    const bool known = look_at(item, t, {}, false, ws.nodes, m, ws) == Eval::ok;
    const int n = item.pair.n();
    for (int k = 0; k < n; ++k) {
      const int dof = item.pair.dofs[k];
      const Twist twist = twist_at(tree_, ws.nodes, dof, m.pB);
      const Vec3d shift = transpose_times(m.RA, twist.shift), turn = transpose_times(m.RA, twist.turn);
      for (int r = 0; r < item.row_count(); ++r) {
        if (item.rows[r] < 0) continue;
        const double entry = dot(ws.conditions.force(r), shift) + dot(ws.conditions.moment(r), turn);
        jacobian[constraint_pattern_.start[dof] + item.row_slots[r * n + k]] =
            known ? item.pair.side[k] * entry : std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
}

Eval Equations::contribution_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    const bool has_loads = item.declared().has_loads;
    const bool has_unknowns = !in.z.empty() && item.unknowns() > 0;
    if (item.active_rows == 0 && !has_loads && !has_unknowns) continue;
    if (const Eval e = look_at(item, in.t, in.z, true, ws.nodes, m, ws); e != Eval::ok) return e;
    LocalConditions& c = ws.conditions;
    const bool follow = in.z.empty();
    if (!follow) c.hold();
    ws.block.move(item.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
    Wrench<Local> w{};
    if (has_loads) {
      if (const Eval e = look_at_loads(item, in.v, in.z, m, ws); e != Eval::ok) return e;
      set_point(m.rel, ws.local), set_rotation(m.rel, ws.local);
      ws.local.set = m.rel.set;
      if (!ws.loads.differentiate(item.law(), ws.local, in.v.subspan(item.first, item.states), c, follow))
        return blame_loads("the derivative of its force is not a number", *item.what, m.rel, ws.blame);
      for (int i = 0; i < 3; ++i) {
        w.f[i] = ws.loads.to_motion(ws.loads.wrench.f[i], i);
        w.n[i] = ws.loads.to_motion(ws.loads.wrench.n[i], 3 + i);
      }
      state_blocks(item, m, out, ws);
    }
    row_blocks(item, m, out, ws);
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
  for (int r = 0; r < item.row_count(); ++r) {
    if (item.rows[r] < 0) continue;
    const Local rate = rate_of_row(ws.conditions, r, m.rel);
    for (int k = 0; k < n; ++k) {
      const LocalTwist by = local_twist(ws.block, m, k);
      const int dof = item.pair.dofs[k], slot = item.row_slots[r * n + k];
      out.jacobian[dof][slot] = by_rate(rate, by);
      out.g_rate_part[dof][slot] = by_position(rate, by);
    }
  }
}

// Rows c' - d, and what the states do to the forces.
void Equations::state_blocks(const ContributionItem& item, const PairMotion& m, const Blocks& out,
                             Workspace& ws) const {
  const int n = item.pair.n();
  const LocalLoads& loads = ws.loads;
  for (int c = 0; c < item.states; ++c) {
    const Local rate = loads.to_motion(0.0, 6 + c);
    const Vec3d f{loads.slope(0, 12 + c), loads.slope(1, 12 + c), loads.slope(2, 12 + c)};
    const Vec3d moment{loads.slope(3, 12 + c), loads.slope(4, 12 + c), loads.slope(5, 12 + c)};
    for (int k = 0; k < n; ++k) {
      const LocalTwist by = local_twist(ws.block, m, k);
      const int dof = item.pair.dofs[k];
      out.stiffness[dof][item.state_rows[c * n + k]] = -by_position(rate, by);
      out.damping[dof][item.state_rows[c * n + k]] = -by_rate(rate, by);
      out.damping[item.first + c][item.state_columns[c * n + k]] = -(dot(f, by.shift) + dot(moment, by.turn));
    }
    for (int j = 0; j < item.states; ++j)
      out.damping[item.first + j][item.own[c * item.states + j]] = -loads.slope(6 + c, 12 + j);
    out.mass[item.first + c][item.own[c * item.states + c]] = 1.0;
  }
}

void Equations::find_contribution_slots() {
  const auto slot = [](const Pattern& pattern, int i, int j) { return pattern.find(i, j) - pattern.start[j]; };
  for (ContributionItem& item : contributions_) {
    find_unknown_slots(item);
    item.slots = block_slots(tangent_pattern_, item.pair.dofs);
    if (item.active_rows > 0) item.loop_slots = block_slots(loop_pattern_, item.pair.dofs);
    for (const int row : item.rows) {
      for (const int j : item.pair.dofs) item.row_slots.push_back(row < 0 ? -1 : slot(constraint_pattern_, row, j));
    }
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

Eval Equations::contribution_state(std::size_t k, double t, const std::vector<NodeState>& nodes, CSpan v,
                                   ContributionState& out, Workspace& ws) const {
  const ContributionItem& item = contributions_[k];
  PairMotion m;
  const Eval e = look_at(item, t, {}, false, nodes, m, ws);
  if (e != Eval::ok) return e;
  out.motion = m.rel, out.to_global = m.RA, out.at = m.pB;
  out.loads = {};
  out.s.assign(ws.conditions.s.begin(), ws.conditions.s.begin() + ws.conditions.variables);
  out.rows.clear();
  for (int r = 0; r < item.row_count(); ++r) out.rows.push_back({ws.conditions.force(r), ws.conditions.moment(r)});
  if (!item.declared().has_loads) return Eval::ok;
  if (const Eval found = look_at_loads(item, v, {}, m, ws); found != Eval::ok) return found;
  out.loads = ws.loads.wrench;
  out.w.assign(ws.loads.w().begin(), ws.loads.w().end());
  out.rates.assign(ws.loads.rates().begin(), ws.loads.rates().end());
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
