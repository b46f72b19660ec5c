// Points that slide along lines of nodal coordinates: contributions whose A side is no frame but a line, which the coordinates of its element move at the foot of the point.
// Wrenches on the point go to its node; what the line takes goes to the coordinates at once, as of rows that are sums of these.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::MeshCurve;

// Of an active row, or of one that does not hold.
double multiplier_of(int row, CSpan multipliers) { return row < 0 ? 0.0 : multipliers[static_cast<std::size_t>(row)]; }

// A coordinate of the line as a step: where its curve at the foot moves to.
LineStep step_of(const LinePoint& point, const MeshCurve::Share& share) {
  const Vec3d at = point.place.of(share, 0), slope = point.place.of(share, 1);
  return {-at, slope, point.place.of(share, 2), {}, dot(point.s_by_slope, slope) - dot(point.s_by_place, at)};
}
// A coordinate of the point's path, in global axes.
LineStep step_of(const LinePoint& point, const LocalTwist& by) {
  return {by.shift, {}, {}, by.slip, dot(point.s_by_place, by.shift)};
}

// What a share of the line feels of P and S, and how that changes.
double felt(const LinePoint& point, const MeshCurve::Share& share, const Vec3d& P, const Vec3d& S) {
  return dot(point.place.of(share, 1), S) - dot(point.place.of(share, 0), P);
}
double felt_change(const LinePoint& point, const MeshCurve::Share& share, const LineForce& force,
                   const LineChange& change, double s) {
  return felt(point, share, change.P, change.S) +
         s * (dot(point.place.of(share, 2), force.S) - dot(point.place.of(share, 1), force.P));
}

// G v of one row along a step, v being held.
double rate_change(const LinePoint& point, const LineForce& row, const LineStep& step) {
  const LineChange change = change_along(point, row, step);
  return point.rate(change.P, change.S) + dot(row.P, step.w) +
         step.s * (dot(row.S, point.u_bend) - dot(row.P, point.u_slope));
}

// The force on the point, which acts as -P, with its derivatives to place and velocity of the point.
model::Wrench<Local> wrench_of(const LinePoint& point, const LineForce& force) {
  model::Wrench<Local> w{};
  for (int i = 0; i < 3; ++i) w.f[i].v = -force.P[i];
  for (int j = 0; j < 3; ++j) {
    LineStep step{};
    step.away[j] = 1, step.s = point.s_by_place[j];
    const LineChange change = change_along(point, force, step);
    for (int i = 0; i < 3; ++i)
      w.f[i].d[static_cast<std::size_t>(by_shift + j)] = -change.P[i],
                                                   w.f[i].d[static_cast<std::size_t>(by_velocity + j)] =
                                                       -force.P_of[3][i][j];
  }
  return w;
}

}  // namespace

SlidingLine Equations::sliding_line(const model::Contribution& what, const model::OnLine& law) const {
  const auto mesh = std::ranges::find(tree_.meshes, what.from.body, &MeshNode::body);
  SlidingLine out{&law, &mesh->mesh->curves[static_cast<std::size_t>(law.curve)], mesh->node, {}, {}, {}, {}};
  for (const int k : out.curve->coordinates) out.columns.push_back(mesh->iv + k);
  return out;
}

// From the ground's origin on, which the mesh stands on.
Pair Equations::pair_on_line(const model::Contribution& what) const {
  const int node = tree_.node_of_body[static_cast<std::size_t>(what.from.body)];
  return make_pair(tree_, {node, -tree_.origin[static_cast<std::size_t>(node)], Mat3d::identity()},
                   tree_.place(what.to));
}

// The motion of the point, and ws.line and ws.conditions there.
Eval Equations::look_at_line(const ContributionItem& item, double t, const std::vector<NodeState>& nodes, PairMotion& m,
                             Workspace& ws) const {
  relative_motion(item.pair, nodes, t, m);
  const MeshCurve& curve = *item.line->curve;
  const ModalState& mesh = *nodes[static_cast<std::size_t>(item.line->node)].guide->modal;
  const auto begin = item.begin_of_s(*held_);
  std::optional<double> s = begin.empty() ? std::nullopt : curve.foot(m.rel.r, mesh.z, begin[0]);
  if (!s) s = curve.foot(m.rel.r, mesh.z, curve.near(m.rel.r, mesh.z));
  if (!s)
    return blame_contribution(
        item, "where its point is on the line is not defined here: it is as far away as the line is bent", ws);
  const double length = curve.length(), over = 1e-9 * length;
  if (!(*s >= -over && *s <= length + over))
    return blame_contribution(item,
                              fmt::format("its point has reached the {} of the line (s = {:.6g} m)",
                                          *s < 0 ? "start" : "end", std::clamp(*s, 0.0, length)),
                              ws);
  ws.line = line_point(curve, *s, m.rel.r, m.rel.v, mesh.z, mesh.zd);
  LocalConditions& c = ws.conditions;
  c.rows = 2, c.variables = 1, c.directions = 6, c.s[0] = *s;
  for (std::size_t r = 0; r < 2; ++r) {
    c.g[r] = ws.line.rows[r].g, c.G[r] = {};
    for (std::size_t i = 0; i < 3; ++i) c.G[r][i] = ws.line.rows[r].P[static_cast<int>(i)];
  }
  return Eval::ok;
}

void Equations::add_line_multipliers(double t, CSpan multipliers, Span tau, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (!item.line || item.active_rows == 0 || look_at_line(item, t, ws.nodes, m, ws) != Eval::ok)
      continue;  // told where its wrench is found
    const LinePoint& point = ws.line;
    const double first = multiplier_of(item.rows[0], multipliers), second = multiplier_of(item.rows[1], multipliers);
    const Vec3d P = first * point.rows[0].P + second * point.rows[1].P,
                S = first * point.rows[0].S + second * point.rows[1].S;
    for (const MeshCurve::Share& share : item.line->element(point).shares)
      tau[static_cast<std::size_t>(item.line->columns[static_cast<std::size_t>(share.number)])] +=
          felt(point, share, P, S);
  }
}

void Equations::add_line_drag(double t, Span tau, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (!item.line || !item.acts() || look_at_line(item, t, ws.nodes, m, ws) != Eval::ok) continue;
    const Vec3d P = -ws.line.drag(item.line->law->drag);
    for (const MeshCurve::Share& share : item.line->element(ws.line).shares)
      tau[static_cast<std::size_t>(item.line->columns[static_cast<std::size_t>(share.number)])] +=
          felt(ws.line, share, P, {});
  }
}

// G a + gII of its rows.
void Equations::line_accelerations(const ContributionItem& item, const Vec3d& acceleration, Span out,
                                   Workspace& ws) const {
  const LinePoint& point = ws.line;
  const ModalState& mesh = *ws.nodes[static_cast<std::size_t>(item.line->node)].guide->modal;
  const Vec3d away = acceleration - item.line->curve->rate(point.place, 0, mesh.zdd),
              slope = item.line->curve->rate(point.place, 1, mesh.zdd);
  const auto bends = point.bends(*item.line->curve);
  for (std::size_t r = 0; r < 2; ++r) {
    if (item.rows[r] >= 0)
      out[static_cast<std::size_t>(item.rows[r])] = dot(point.rows[r].P, away) + dot(point.rows[r].S, slope) + bends[r];
  }
}

void Equations::line_levels(const ContributionItem& item, const PairMotion& m, Span g, Span g_rate, Span g_acceleration,
                            Workspace& ws) const {
  for (std::size_t r = 0; r < 2 && !g.empty(); ++r) {
    if (item.rows[r] < 0) continue;
    const LineRow& row = ws.line.rows[r];
    g[static_cast<std::size_t>(item.rows[r])] = row.g,
    g_rate[static_cast<std::size_t>(item.rows[r])] = ws.line.rate(row.P, row.S);
  }
  if (g_acceleration.empty()) return;
  Vec3d rdd, wd;
  relative_acceleration(item.pair, ws.nodes, m, rdd, wd);
  line_accelerations(item, rdd, g_acceleration, ws);
}

// The part of its rows that the line has; that of the point's path is as of other contributions.
void Equations::fill_line_rows(const ContributionItem& item, bool is_known, Span jacobian, Workspace& ws) const {
  const SlidingLine& line = *item.line;
  const std::size_t n = line.columns.size();
  const auto entry = [&](std::size_t r, std::size_t k) -> double& {
    return jacobian[static_cast<std::size_t>(constraint_pattern_.start[line.columns[k]] + line.row_slots[r * n + k])];
  };
  for (std::size_t r = 0; r < 2; ++r) {
    if (item.rows[r] < 0) continue;
    for (std::size_t k = 0; k < n; ++k) entry(r, k) = is_known ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    if (!is_known) continue;
    for (const MeshCurve::Share& share : line.element(ws.line).shares)
      entry(r, static_cast<std::size_t>(share.number)) = felt(ws.line, share, ws.line.rows[r].P, ws.line.rows[r].S);
  }
}

Eval Equations::line_derivatives(const ContributionItem& item, const Input& in, const Blocks& out,
                                 Workspace& ws) const {
  PairMotion m;
  if (const Eval e = look_at_line(item, in.t, ws.nodes, m, ws); e != Eval::ok) return e;
  ws.block.move(item.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
  const auto rows = ws.line.with_changes(*item.line->curve);
  LineForce with_lambda{}, with_eta{};
  for (std::size_t r = 0; r < 2; ++r) {
    if (item.rows[r] < 0) continue;
    line_row_blocks(item, r, rows[r], m, out, ws);
    with_lambda.add(multiplier_of(item.rows[r], in.lambda), rows[r]),
        with_eta.add(multiplier_of(item.rows[r], in.eta), rows[r]);
  }
  if (item.acts()) {
    const LineForce drag = ws.line.drag_with_changes(item.line->law->drag);
    with_lambda.add(1.0, drag);
    line_drag_blocks(item, drag, m, out, ws);
  }
  line_force_blocks(item, with_lambda, item.slots, item.line->tangent, m, out.stiffness, ws);
  if (item.acts()) ws.block.add_velocity_block(item.pair, item.slots, true, out.damping);
  if (item.active_rows > 0) line_force_blocks(item, with_eta, item.loop_slots, item.line->loop, m, out.eta_part, ws);
  return Eval::ok;
}

// A row of G and of d(G v)/dq.
void Equations::line_row_blocks(const ContributionItem& item, std::size_t r, const LineForce& row, const PairMotion& m,
                                const Blocks& out, Workspace& ws) const {
  const SlidingLine& line = *item.line;
  const LinePoint& point = ws.line;
  const int n = item.pair.n();
  for (int k = 0; k < n; ++k) {
    const LocalTwist by = local_twist(ws.block, m, k);
    const int dof = item.pair.dofs[static_cast<std::size_t>(k)],
              slot = item.row_slots[r * static_cast<std::size_t>(n) + static_cast<std::size_t>(k)];
    out.jacobian[dof][slot] = dot(row.P, by.shift);
    out.g_rate_part[dof][slot] = rate_change(point, row, step_of(point, by));
  }
  const int* const slots = line.row_slots.data() + r * line.columns.size();
  for (std::size_t k = 0; k < line.columns.size(); ++k)
    out.jacobian[line.columns[k]][slots[k]] = out.g_rate_part[line.columns[k]][slots[k]] = 0.0;
  for (const MeshCurve::Share& share : line.element(point).shares) {
    const auto k = static_cast<std::size_t>(share.number);
    out.jacobian[line.columns[k]][slots[k]] = felt(point, share, row.P, row.S);
    out.g_rate_part[line.columns[k]][slots[k]] = rate_change(point, row, step_of(point, share));
  }
}

// How P on the point and what the line feels of it change with the path and with the line.
void Equations::line_force_blocks(const ContributionItem& item, const LineForce& force,
                                  const std::vector<int>& path_slots, const SlidingLine::Slots& slots,
                                  const PairMotion& m, double* const* columns, Workspace& ws) const {
  const SlidingLine& line = *item.line;
  const LinePoint& point = ws.line;
  const auto& shares = line.element(point).shares;
  const int n = item.pair.n();
  wrench_responses(m, wrench_of(point, force), n, ws.block);
  ws.block.add_position_block(item.pair, path_slots, true, columns);
  for (int j = 0; j < n; ++j) {
    const LineStep step = step_of(point, local_twist(ws.block, m, j));
    const LineChange change = change_along(point, force, step);
    for (const MeshCurve::Share& share : shares)
      columns[item.pair.dofs[static_cast<std::size_t>(j)]]
             [slots.to_line[static_cast<std::size_t>(j) * line.columns.size() +
                            static_cast<std::size_t>(share.number)]] +=
          felt_change(point, share, force, change, step.s);
  }
  const int* own = slots.elements[static_cast<std::size_t>(point.place.element)].data();
  for (const MeshCurve::Share& by : shares) {
    const LineStep step = step_of(point, by);
    const LineChange change = change_along(point, force, step);
    double* const column = columns[line.columns[static_cast<std::size_t>(by.number)]];
    for (int i = 0; i < n; ++i)
      column[slots.from_line[static_cast<std::size_t>(by.number) * static_cast<std::size_t>(n) +
                             static_cast<std::size_t>(i)]] += dot(change.P, local_twist(ws.block, m, i).shift);
    for (const MeshCurve::Share& share : shares) column[*own++] += felt_change(point, share, force, change, step.s);
  }
}

// The same of the drag with the velocities, but for what the path has with itself.
void Equations::line_drag_blocks(const ContributionItem& item, const LineForce& drag, const PairMotion& m,
                                 const Blocks& out, Workspace& ws) const {
  const SlidingLine& line = *item.line;
  const LinePoint& point = ws.line;
  const auto& shares = line.element(point).shares;
  const int n = item.pair.n();
  for (int j = 0; j < n; ++j) {
    const Vec3d change = drag.P_of[3] * local_twist(ws.block, m, j).shift;
    for (const MeshCurve::Share& share : shares)
      out.damping[item.pair.dofs[static_cast<std::size_t>(j)]]
                 [line.tangent.to_line[static_cast<std::size_t>(j) * line.columns.size() +
                                       static_cast<std::size_t>(share.number)]] += felt(point, share, change, {});
  }
  const int* own = line.tangent.elements[static_cast<std::size_t>(point.place.element)].data();
  for (const MeshCurve::Share& by : shares) {
    const Vec3d change = -(drag.P_of[3] * point.place.of(by, 0));
    double* const column = out.damping[line.columns[static_cast<std::size_t>(by.number)]];
    for (int i = 0; i < n; ++i)
      column[line.tangent.from_line[static_cast<std::size_t>(by.number) * static_cast<std::size_t>(n) +
                                    static_cast<std::size_t>(i)]] += dot(change, local_twist(ws.block, m, i).shift);
    for (const MeshCurve::Share& share : shares) column[*own++] += felt(point, share, change, {});
  }
}

// Where its entries may be: the path with all of the line, the line with itself within each element.
void Equations::add_line_pattern(const ContributionItem& item, PatternBuilder& to) const {
  for (const int i : item.pair.dofs) {
    for (const int j : item.line->columns) to.add(i, j), to.add(j, i);
  }
  for (const MeshCurve::Element& element : item.line->curve->elements) {
    for (const MeshCurve::Share& a : element.shares) {
      for (const MeshCurve::Share& b : element.shares)
        to.add(item.line->columns[static_cast<std::size_t>(a.number)],
               item.line->columns[static_cast<std::size_t>(b.number)]);
    }
  }
}

SlidingLine::Slots Equations::line_slots(const ContributionItem& item, const Pattern& pattern) const {
  SlidingLine::Slots out;
  const SlidingLine& line = *item.line;
  const auto slot = [&](int i, int j) { return pattern.find(i, j) - pattern.start[j]; };
  for (const int j : line.columns) {
    for (const int i : item.pair.dofs) out.from_line.push_back(slot(i, j));
  }
  for (const int j : item.pair.dofs) {
    for (const int i : line.columns) out.to_line.push_back(slot(i, j));
  }
  for (const MeshCurve::Element& element : line.curve->elements) {
    std::vector<int>& own = out.elements.emplace_back();
    for (const MeshCurve::Share& b : element.shares) {
      for (const MeshCurve::Share& a : element.shares)
        own.push_back(
            slot(line.columns[static_cast<std::size_t>(a.number)], line.columns[static_cast<std::size_t>(b.number)]));
    }
  }
  return out;
}

}  // namespace skyhook::formalism::recursive
