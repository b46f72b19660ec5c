// Contributions with unknowns or rows of their own (model/contribution.h): contact variables and algebraic unknowns are found at the
// motion of the frames, so that what the rest of the equations sees are wrenches, inner states and rows as of any other element.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formalism/recursive/blame.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_rows.h"
#include "skyhook/model/row_bends.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Wrench;

// How G v of each row changes along the motion while v is held.
void bends_of(const model::PathLaw* path, const model::Pose<double>& x, const LocalConditions& c,
              const LocalConditions::Row& speed, std::span<double> out) {
  if (path) return row_bends(*path, x, c, speed, out);
  for (int r = 0; r < c.rows; ++r) out[r] = bend_of(c, r, speed);
}

void add_row(const LocalConditions& c, int r, double multiplier, Wrench<double>& w) {
  w.f += multiplier * c.force(r), w.n += multiplier * c.moment(r);
}

// A force on an own coordinate.
template <class Loaded>  // NodeState or Load
void push(int node, const std::vector<NodeState>& nodes, double force, std::vector<Loaded>& to) {
  to[node].f += force * nodes[node].s;
}

// What there is of them: they have room for far more.
void copy_conditions(const LocalConditions& from, bool with_changes, LocalConditions& to) {
  const int rows = from.rows, variables = from.variables;
  to.rows = rows, to.variables = variables, to.directions = from.directions;
  std::copy_n(from.s.begin(), variables, to.s.begin());
  std::copy_n(from.h.begin(), variables, to.h.begin());
  std::copy_n(from.h_x.begin(), variables, to.h_x.begin());
  std::copy_n(from.s_of_x.begin(), variables, to.s_of_x.begin());
  std::copy_n(from.h_s.begin(), variables, to.h_s.begin());
  std::copy_n(from.g.begin(), rows, to.g.begin());
  std::copy_n(from.G.begin(), rows, to.G.begin());
  std::copy_n(from.mu.begin(), rows, to.mu.begin());
  if (!with_changes) return;
  std::copy_n(from.G_partial.begin(), rows, to.G_partial.begin());
  std::copy_n(from.G_change.begin(), rows, to.G_change.begin());
}

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

}  // namespace

const ContributionItem& Equations::add_item(const model::Contribution& what, int first_state, int first_unknown) {
  ContributionItem item{&what, pair_of(what)};
  for (const model::RowName& row : item.declared().rows) {
    item.rows_all.push_back(static_cast<int>(rows_.size()));
    rows_.push_back({what.name, row.direction, row.is_moment, -1});
  }
  item.rows.assign(item.rows_all.size(), -1);
  item.first = first_state, item.states = static_cast<int>(item.declared().states.size());
  item.first_own = contributions_.empty() ? first_own() : contributions_.back().first_own + contributions_.back().owns;
  item.owns = static_cast<int>(item.declared().coordinates.size());
  for (int k = 0; k < item.owns; ++k) item.nodes.push_back(tree_.node_of_v[item.first_own + k]);
  item.branch = first_unknown;
  if (item.declared().algebraic.empty()) item.measuring = dynamic_cast<const model::MeasuringLaw*>(&item.law());
  item.gradients = dynamic_cast<const model::GradientLaw*>(&item.law());
  item.sloped = dynamic_cast<const model::SlopedLoads*>(&item.law());
  if (const model::OnLine* law = model::on_line(what.law.get()))
    item.line = sliding_line(what, *law), has_lines_ = true;
  item.along = way_along(tree_, what, item.pair.B.node);
  if (item.reads_multipliers()) readers_.push_back(static_cast<int>(contributions_.size()));
  contributions_.push_back(std::move(item));
  return contributions_.back();
}

// Behind what formulations may have among their unknowns.
void Equations::number_places_on_lines() {
  remembered_ = nz_;
  for (ContributionItem& item : contributions_) {
    if (item.line) item.branch = remembered_, remembered_ += item.remembered();
  }
}

Eval Equations::blame_contribution(const ContributionItem& item, const std::string& what, Workspace& ws) const {
  ws.blame = fmt::format("{} \"{}\": {}", item.what->type, item.what->name, what);
  return Eval::recoverable;
}

// The motion of its frames, its contact variables and its rows there; also how the rows change.
Eval Equations::look_at(const ContributionItem& item, double t, CSpan z, bool with_changes,
                        const std::vector<NodeState>& nodes, PairMotion& m, Workspace& ws) const {
  if (item.line) return look_at_line(item, t, nodes, m, ws);
  relative_motion(item.pair, nodes, t, m);
  m.rel.set = setting(*item.what, ws.signals.values);
  for (std::size_t k = 0; k < item.nodes.size(); ++k) {
    const NodeState& x = nodes[item.nodes[k]];
    ws.own[k] = dot(x.s, x.p), ws.own_rate[k] = dot(x.s, x.v);
  }
  m.rel.set.way = item.along.at(nodes);
  const model::Pose<double> pose{m.rel.r, m.rel.R, CSpan(ws.own).first(item.nodes.size()), m.rel.set.way};
  if (!item.has_conditions()) return find_rows(item, pose, with_changes, false, ws);  // nothing that were worth keeping
  if (z.empty()) return find_at(item, pose, with_changes, ws);
  take_contact(item.law(), item.s_of(z), ws.conditions);
  return find_rows(item, pose, with_changes, true, ws);
}

// The rows at the contact variables, which are known or found first.
Eval Equations::find_rows(const ContributionItem& item, const model::Pose<double>& pose, bool with_changes,
                          bool is_touching, Workspace& ws) const {
  LocalConditions& c = ws.conditions;
  bool found = is_touching || find_contact(item.law(), pose, item.begin_of_s(*held_), c);
  if (item.gradients)
    with_changes ? evaluate_row_changes(*item.gradients, pose, c) : evaluate_rows(*item.gradients, pose, c);
  else if (found && (c.rows > 0 || c.variables > 0))
    found = with_changes ? evaluate_row_changes(item.law(), pose, c) : evaluate_rows(item.law(), pose, c);
  if (!found) {  // the law may know why
    const std::string lost = item.law().refuses(pose, {});
    return blame_contribution(item, lost.empty() ? "where its sides touch is not defined here" : lost, ws);
  }
  const std::string why = item.law().refuses(pose, std::span(c.s).first(static_cast<std::size_t>(c.variables)));
  return why.empty() ? Eval::ok : blame_contribution(item, why, ws);
}

// Its contact variables where they follow from the pose.
Eval Equations::find_at(const ContributionItem& item, const model::Pose<double>& pose, bool with_changes,
                        Workspace& ws) const {
  FoundContact& last = ws.found[static_cast<std::size_t>(&item - contributions_.data())];
  LocalConditions& c = ws.conditions;
  const auto begin = item.begin_of_s(*held_);
  const bool is_here = last.is_at(pose, begin);
  if (is_here) copy_conditions(last.conditions, last.has_changes, c);
  if (is_here && (last.has_changes || !with_changes)) return Eval::ok;
  if (const Eval e = find_rows(item, pose, with_changes, is_here, ws); e != Eval::ok) return last.is_known = false, e;
  last.is_known = true, last.has_changes = with_changes, last.answers = KeptAnswers::number();
  last.r = pose.r, last.R = pose.R, last.way = pose.way;
  copy_conditions(c, with_changes, last.conditions);
  std::ranges::copy(pose.p, last.own.begin());
  std::ranges::copy(begin, last.begin.begin());
  last.begins = begin.size();
  return Eval::ok;
}

LocalLoads::Known Equations::known(const ContributionItem& item, CSpan v, CSpan w, const PairMotion& m,
                                   const Workspace& ws) const {
  return {m.rel,
          v.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states)),
          w,
          std::span(ws.conditions.s).first(static_cast<std::size_t>(ws.conditions.variables)),
          CSpan(ws.own).first(item.nodes.size()),
          CSpan(ws.own_rate).first(item.nodes.size()),
          CSpan(ws.own_multipliers).first(item.reads_multipliers() ? item.rows.size() : 0)};
}

Eval Equations::look_at_loads(const ContributionItem& item, CSpan v, CSpan z, CSpan lambda, PairMotion& m,
                              Workspace& ws, std::vector<double>* measured) const {
  if (item.line) return ws.loads.wrench = {ws.line.drag(item.line->law->drag), {}}, Eval::ok;
  item.take_multipliers(lambda, ws.own_multipliers);
  const auto blame = [&](const std::string& what) { return blame_loads(what, *item.what, m.rel, ws.blame); };
  if (!z.empty())
    ws.loads.evaluate_at(item.law(), known(item, v, item.w_of(z), m, ws));
  else if (measured && item.measuring)
    ws.loads.evaluate(*item.measuring, known(item, v, {}, m, ws), *measured);
  else if (!ws.loads.evaluate(item.law(), known(item, v, item.begin_of_w(*held_), m, ws)))
    return blame("its algebraic unknowns are not found");
  if (!is_finite(ws.loads.wrench)) return blame("its force is not a number");
  for (const double force : ws.loads.forces()) {
    if (!std::isfinite(force)) return blame("the force on its own mass is not a number");
  }
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
    if (item.branch + item.remembered() > static_cast<int>(found.size()))
      continue;  // places on lines may not be asked for
    if (item.remembered() == 0 || look_at(item, t, {}, false, ws.nodes, m, ws) != Eval::ok) continue;
    const auto algebraic = item.declared().algebraic.size();
    if (algebraic > 0 && look_at_loads(item, v, {}, {}, m, ws) != Eval::ok) continue;
    const auto to = found.subspan(static_cast<std::size_t>(item.branch));
    if (algebraic > 0) std::ranges::copy(ws.loads.w(), to.begin());
    std::copy_n(ws.conditions.s.begin(), ws.conditions.variables, to.begin() + static_cast<long>(algebraic));
  }
}

Eval Equations::apply_contributions(const Input& in, Workspace& ws) const {
  if (contributions_.empty()) return Eval::ok;
  if (ws.keeps_forces && in.z.empty()) return keep_contributions(in, ws);
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (!item.declared().has_loads || item.reads_multipliers()) continue;
    if (const Eval e = look_at(item, in.t, in.z, false, ws.nodes, m, ws); e != Eval::ok) return e;
    if (const Eval e = add_loads(item, in, m, ws); e != Eval::ok) return e;
    if (!item.line) std::ranges::copy(ws.loads.rates(), ws.rates.begin() + (item.first - tree_.nv));
  }
  return Eval::ok;
}

// The same, and all that is told of them. One without loads, or whose multipliers are not known yet, does
// nothing here, whatever becomes of it.
Eval Equations::keep_contributions(const Input& in, Workspace& ws) const {
  PairMotion m;
  for (std::size_t k = 0; k < contributions_.size(); ++k) {
    const ContributionItem& item = contributions_[k];
    const bool has_loads = item.declared().has_loads && !item.reads_multipliers();
    const Eval e = contribution_state(item, in.t, ws.nodes, in.v, {}, has_loads ? Loads::found : Loads::left_out, m,
                                      ws.forces.contributions[k], ws);
    if (!has_loads) continue;
    if (e != Eval::ok) return e;
    apply_loads(item, m, ws);
    if (!item.line) std::ranges::copy(ws.loads.rates(), ws.rates.begin() + (item.first - tree_.nv));
  }
  return Eval::ok;
}

Eval Equations::add_loads(const ContributionItem& item, const Input& in, PairMotion& m, Workspace& ws) const {
  if (const Eval e = look_at_loads(item, in.v, in.z, in.lambda, m, ws); e != Eval::ok) return e;
  apply_loads(item, m, ws);
  return Eval::ok;
}

// As ws.loads has found them.
void Equations::apply_loads(const ContributionItem& item, const PairMotion& m, Workspace& ws) const {
  add_wrench(item.pair, m, m.R_A * ws.loads.wrench.f, m.R_A * ws.loads.wrench.n, -1.0, ws.nodes);
  for (std::size_t k = 0; k < item.nodes.size(); ++k) push(item.nodes[k], ws.nodes, -ws.loads.forces()[k], ws.nodes);
}

// Of the multipliers, loads that read them included, and those of eta where `eta` is not empty.
Eval Equations::contribution_reactions(const Input& in, CSpan eta, Workspace& ws) const {
  if (contributions_.empty()) return Eval::ok;
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    if (const Eval e = look_at(item, in.t, in.z, false, ws.nodes, m, ws); e != Eval::ok) return e;
    Wrench<double> with_lambda{}, with_eta{};
    for (int r = 0; r < item.row_count(); ++r) {
      if (item.rows[r] < 0) continue;
      add_row(ws.conditions, r, in.lambda[item.rows[r]], with_lambda);
      if (!eta.empty()) add_row(ws.conditions, r, eta[item.rows[r]], with_eta);
      for (int k = 0; k < item.owns; ++k) {
        const double G = ws.conditions.G[r][6 + k];
        push(item.nodes[k], ws.nodes, in.lambda[item.rows[r]] * G, ws.nodes);
        if (!eta.empty()) push(item.nodes[k], ws.nodes, eta[item.rows[r]] * G, ws.eta);
      }
    }
    add_wrench(item.pair, m, m.R_A * with_lambda.f, m.R_A * with_lambda.n, 1.0, ws.nodes);
    if (!eta.empty()) add_wrench(item.pair, m, m.R_A * with_eta.f, m.R_A * with_eta.n, 1.0, ws.eta);
    if (!item.acts() || !item.reads_multipliers()) continue;
    if (const Eval e = add_loads(item, in, m, ws); e != Eval::ok) return e;
  }
  return Eval::ok;
}

// g and G v, and where it is wanted G a + gII.
Eval Equations::contribution_levels(double t, CSpan z, Span g, Span g_rate, Span g_acceleration, Workspace& ws) const {
  if (contributions_.empty()) return Eval::ok;
  PairMotion m;
  Vec3d rdd, wd;
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    const bool accelerates = !g_acceleration.empty();
    const auto* path = accelerates ? dynamic_cast<const model::PathLaw*>(&item.law()) : nullptr;
    const Eval e = look_at(item, t, z, accelerates && !path, ws.nodes, m, ws);
    if (e != Eval::ok) {
      for (const int row : item.rows) {
        if (row >= 0 && !g.empty()) g[row] = std::numeric_limits<double>::quiet_NaN();
      }
      return e;
    }
    if (item.line) {
      line_levels(item, m, g, g_rate, g_acceleration, ws);
      continue;
    }
    if (accelerates) relative_acceleration(item.pair, ws.nodes, m, rdd, wd);
    const Vec3d r_dd = transpose_times(m.R_A, rdd), w_d = transpose_times(m.R_A, wd);
    const LocalConditions::Row speed = speeds_of(ws.conditions, m.rel, ws.own_rate);
    std::array<double, model::most_rows> bends{};
    if (accelerates)
      bends_of(path, {m.rel.r, m.rel.R, CSpan(ws.own).first(item.nodes.size())}, ws.conditions, speed, bends);
    for (int r = 0; r < item.row_count(); ++r) {
      const int row = item.rows[r];
      if (row < 0) continue;
      const LocalConditions& c = ws.conditions;
      if (!g.empty()) g[row] = c.reduced(r), g_rate[row] = rate_of(c, r, speed);
      if (!accelerates) continue;
      double sum = dot(c.force(r), r_dd) + dot(c.moment(r), w_d);
      for (int k = 0; k < item.owns; ++k) {
        const NodeState& x = ws.nodes[item.nodes[k]];
        sum += c.G[r][6 + k] * dot(x.s, x.a);
      }
      g_acceleration[row] = sum + bends[r];
    }
  }
  return Eval::ok;
}

void Equations::fill_contribution_rows(double t, Span jacobian, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    const bool is_known = look_at(item, t, {}, false, ws.nodes, m, ws) == Eval::ok;
    const int n = item.pair.n();
    for (int k = 0; k < n; ++k) {
      const int dof = item.pair.dofs[k];
      const Twist twist = twist_at(tree_, ws.nodes, dof, m.p_B);
      const Vec3d shift = transpose_times(m.R_A, twist.shift), turn = transpose_times(m.R_A, twist.turn);
      for (int r = 0; r < item.row_count(); ++r) {
        if (item.rows[r] < 0) continue;
        const double entry = dot(ws.conditions.force(r), shift) + dot(ws.conditions.moment(r), turn);
        jacobian[constraint_pattern_.start[dof] + item.row_slots[r * n + k]] =
            is_known ? item.pair.side[k] * entry : std::numeric_limits<double>::quiet_NaN();
      }
    }
    if (item.line) fill_line_rows(item, is_known, jacobian, ws);
    for (int r = 0; r < item.row_count(); ++r) {
      for (int k = 0; k < item.owns && item.rows[r] >= 0; ++k)
        jacobian[constraint_pattern_.start[item.first_own + k] + item.own_row_slots[r * item.owns + k]] =
            is_known ? ws.conditions.G[r][6 + k] : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

void Equations::load_row(const ContributionItem& item, int part, double t, Span row, Workspace& ws) const {
  std::ranges::fill(row, 0.0);
  if (part >= 6) {
    row[item.first_own + part - 6] = 1.0;
    return;
  }
  PairMotion m;
  relative_motion(item.pair, ws.nodes, t, m);
  const Vec3d unit = m.R_A.column(part % 3);
  for (int k = 0; k < item.pair.n(); ++k) {
    const Twist twist = twist_at(tree_, ws.nodes, item.pair.dofs[k], m.p_B);
    put(row, item.pair.dofs[k], item.pair.side[k] * dot(unit, part < 3 ? twist.shift : twist.turn));
  }
}

void Equations::load_rows(const ContributionItem& item, double t, Span rows, Workspace& ws) const {
  PairMotion m;
  relative_motion(item.pair, ws.nodes, t, m);
  const auto n = static_cast<std::size_t>(item.pair.n());
  for (std::size_t k = 0; k < n; ++k) {
    const Twist twist = twist_at(tree_, ws.nodes, item.pair.dofs[k], m.p_B);
    const Vec3d shift = transpose_times(m.R_A, twist.shift), turn = transpose_times(m.R_A, twist.turn);
    for (int i = 0; i < 3; ++i) {
      rows[static_cast<std::size_t>(i) * n + k] = item.pair.side[k] * shift[i];
      rows[static_cast<std::size_t>(3 + i) * n + k] = item.pair.side[k] * turn[i];
    }
  }
}

Eval Equations::loads_at(const ContributionItem& item, double t, CSpan v, CSpan lambda, Span parts, Span slopes,
                         Workspace& ws) const {
  PairMotion m;
  if (const Eval e = look_at(item, t, {}, false, ws.nodes, m, ws); e != Eval::ok) return e;
  if (const Eval e = look_at_loads(item, v, {}, lambda, m, ws); e != Eval::ok) return e;
  const bool with_slopes = !slopes.empty();
  if (with_slopes) ws.loads.differentiate_by_multipliers(item.law(), known(item, v, {}, m, ws));
  const int rows = with_slopes ? item.row_count() : 0;
  for (int i = 0; i < load_parts(item); ++i) {
    const int of = i < 6 ? i : ws.loads.of_force(i - 6);
    parts[i] = i < 3 ? ws.loads.wrench.f[i] : i < 6 ? ws.loads.wrench.n[i - 3] : ws.loads.forces()[i - 6];
    for (int r = 0; r < rows; ++r) slopes[i * rows + r] = ws.loads.partial(of, ws.loads.by_multiplier(r));
  }
  return Eval::ok;
}

void Equations::find_contribution_row_slots() {
  const Pattern& rows = constraint_pattern_;
  const auto slot = [&](int row, int j) { return row < 0 ? -1 : rows.find(row, j) - rows.start[j]; };
  for (ContributionItem& item : contributions_) {
    for (const int row : item.rows) {
      for (const int j : item.pair.dofs) item.row_slots.push_back(slot(row, j));
      for (int k = 0; k < item.owns; ++k) item.own_row_slots.push_back(slot(row, item.first_own + k));
      for (const int j : item.line ? item.line->columns : std::vector<int>{})
        item.line->row_slots.push_back(slot(row, j));
    }
  }
}

Eval Equations::contribution_state(std::size_t k, double t, const std::vector<NodeState>& nodes, CSpan v, CSpan lambda,
                                   ContributionState& out, Workspace& ws) const {
  PairMotion m;
  return contribution_state(contributions_[k], t, nodes, v, lambda, Loads::found, m, out, ws);
}

Eval Equations::contribution_motion(std::size_t k, double t, const std::vector<NodeState>& nodes, CSpan v, CSpan lambda,
                                    ContributionState& out, Workspace& ws) const {
  PairMotion m;
  const ContributionItem& item = contributions_[k];
  const Loads loads = item.declared().algebraic.empty() && !item.reads_multipliers() ? Loads::left_out : Loads::found;
  return contribution_state(item, t, nodes, v, lambda, loads, m, out, ws);
}

Eval Equations::contribution_state(const ContributionItem& item, double t, const std::vector<NodeState>& nodes, CSpan v,
                                   CSpan lambda, Loads loads, PairMotion& m, ContributionState& out,
                                   Workspace& ws) const {
  out.measured.clear();
  const Eval e = look_at(item, t, {}, false, nodes, m, ws);
  if (e != Eval::ok) return e;
  out.motion = m.rel, out.to_global = m.R_A, out.at = m.p_B;
  out.p.assign(ws.own.begin(), ws.own.begin() + item.owns);
  out.p_rate.assign(ws.own_rate.begin(), ws.own_rate.begin() + item.owns);
  out.forces.assign(out.p.size(), 0.0);
  out.loads = {};
  if (item.line) out.motion.v = ws.line.at.w;  // against the line where it is
  out.s.assign(ws.conditions.s.begin(), ws.conditions.s.begin() + ws.conditions.variables);
  out.rows.clear();
  for (int r = 0; r < item.row_count(); ++r) out.rows.push_back({ws.conditions.force(r), ws.conditions.moment(r)});
  out.lambda.clear();
  if (!item.acts() || loads == Loads::left_out) return Eval::ok;
  if (const Eval found = look_at_loads(item, v, {}, lambda, m, ws, &out.measured); found != Eval::ok)
    return out.measured.clear(), found;
  if (item.reads_multipliers())
    out.lambda.assign(ws.own_multipliers.begin(), ws.own_multipliers.begin() + item.row_count());
  out.loads = ws.loads.wrench;
  if (item.line) return Eval::ok;
  out.forces.assign(ws.loads.forces().begin(), ws.loads.forces().end());
  out.w.assign(ws.loads.w().begin(), ws.loads.w().end());
  out.rates.assign(ws.loads.rates().begin(), ws.loads.rates().end());
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
