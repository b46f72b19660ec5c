// Contacts that may be open: what decides whether they close, and what an impact needs.
#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {
namespace {

// The row of a contact with a sphere has the square of the distance. Its gap is the distance itself: `unit` becomes its gradient.
GlobalRow gap_row(const Equations::PairConstraint& c, const PairMotion& m, const std::vector<NodeState>& nodes) {
  GlobalRow row = global_row(c.rows[0], c.pair, m, nodes);
  if (c.rows[0].kind == PairRow::Kind::distance) row.unit = normalized(m.r_AB);
  return row;
}

double gap_acceleration_of(const PairRow& c, const GlobalRow& row, const PairMotion& m, const Vec3d& rdd) {
  if (c.kind != PairRow::Kind::distance) return acceleration_of(c, row, m, {}, rdd, {});
  const double rate = dot(row.unit, m.v_AB);
  return dot(row.unit, rdd) + (dot(m.v_AB, m.v_AB) - rate * rate) / norm(m.r_AB);
}

}  // namespace

Gap gap_of(const Equations::PairConstraint& c, const std::vector<NodeState>& nodes) {
  PairMotion m;
  point_motion(c.pair, nodes, m);
  const PairRow& row = c.rows[0];
  const GlobalRow global = gap_row(c, m, nodes);
  const bool spheres = row.kind == PairRow::Kind::distance;
  return {spheres ? norm(m.r_AB) - row.length : position_of(row, global, m, 0.0), dot(global.unit, m.v_AB)};
}

Vec3d contact_force(const Equations::PairConstraint& c, const std::vector<NodeState>& nodes, double lambda) {
  PairMotion m;
  point_positions(c.pair, nodes, m);
  return -lambda * global_row(c.rows[0], c.pair, m, nodes).unit;
}

double normal_force(const Equations::PairConstraint& c, const std::vector<NodeState>& nodes, double lambda) {
  PairMotion m;
  point_positions(c.pair, nodes, m);
  return 0.0 - lambda * norm(global_row(c.rows[0], c.pair, m, nodes).unit);
}

void Equations::contact_motion(double t, CSpan q, CSpan v, Span gap, Span gap_rate, Workspace& ws) const {
  if (contacts_.empty()) return;
  recursive::set_drives(tree_, t, Drives::move, ws.nodes);
  positions_velocities(tree_, q, v, ws.nodes);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Gap now = gap_of(contact(static_cast<int>(k)), ws.nodes);
    gap[k] = now.gap, gap_rate[k] = now.rate;
  }
}

Eval Equations::contact_accelerations(const Input& in, Span gap_acceleration, Workspace& ws) const {
  if (const Eval e = set_drives(in, ws); e != Eval::ok) return e;
  positions_velocities(tree_, in.q, in.v, ws.nodes);
  recursive::accelerations(tree_, model_->gravity, in.v, in.a, ws.nodes);
  PairMotion m;
  Vec3d rdd, wd;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const PairConstraint& c = contact(static_cast<int>(k));
    point_motion(c.pair, ws.nodes, m);
    relative_acceleration(c.pair, ws.nodes, m, rdd, wd);
    gap_acceleration[k] = gap_acceleration_of(c.rows[0], gap_row(c, m, ws.nodes), m, rdd);
  }
  return Eval::ok;
}

void Equations::contact_row(int index, double t, CSpan q, Span row, Workspace& ws) const {
  recursive::set_drives(tree_, t, Drives::move, ws.nodes);
  positions(tree_, q, ws.nodes);
  const PairConstraint& c = contact(index);
  PairMotion m;
  point_positions(c.pair, ws.nodes, m);
  const GlobalRow global = gap_row(c, m, ws.nodes);
  std::fill(row.begin(), row.end(), 0.0);
  for (int k = 0; k < c.pair.n(); ++k)
    put(row, c.pair.dofs[k], c.pair.side[k] * dot(global.unit, twist_at(tree_, ws.nodes, c.pair.dofs[k], m.p_B).shift));
}

}  // namespace skyhook::formalism::recursive
