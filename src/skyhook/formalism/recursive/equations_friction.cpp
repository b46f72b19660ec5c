// Friction that depends on the load of its joint: a force along one more row P of the joint, that of its free motion, whose
// multiplier F follows from the speed P v and the multipliers of the other rows.
#include <algorithm>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {

using Vec3l = Vec3<Lanes>;

Equations::Rubbing Equations::rubbing(const PairConstraint& c, const PairMotion& m, CSpan lambda,
                                      const std::vector<NodeState>& x) const {
  const LoadFriction& friction = frictions_[c.friction];
  Rubbing r{friction.global_axis(c.pair, x), 0, 0, friction.load(c.rows, lambda)};
  r.speed = friction.speed(c.pair, m, r.axis, x);
  r.force = friction.law().factor(r.speed) * r.load.size;
  return r;
}

void Equations::add_friction(const PairConstraint& c, const PairMotion& m, CSpan lambda,
                             const std::vector<NodeState>& x, model::Wrench<double>& reaction) const {
  const Rubbing r = rubbing(c, m, lambda, x);
  (frictions_[c.friction].turns ? reaction.n : reaction.f) += r.force * r.axis;
}

// Beside its being carried along, which reaction_responses() covers: F changes with the speed.
void Equations::friction_responses(const PairConstraint& c, const Rubbing& r, PathBlock& block) const {
  const LoadFriction& friction = frictions_[c.friction];
  const double slope = friction.law().factor_slope(r.speed) * r.load.size;
  const int part = friction.turns ? 0 : 3, other = 3 - part;  // moment or force of a wrench
  const int moves = friction.turns ? PathBlock::turn : PathBlock::shift;
  const int slips = friction.turns ? PathBlock::spin : PathBlock::slip;
  const Vec3l axis(r.axis), force(slope * r.axis);
  for (int k = 0; k < c.pair.n(); k += 4) {
    const Lanes slip = dot(axis, block.load(slips, k)), move = dot(axis, block.load(moves, k));
    block.store(PathBlock::change + part, k, block.load(PathBlock::change + part, k) + slip * force);
    block.store(PathBlock::rate + part, k, move * force);
    block.store(PathBlock::rate + other, k, Vec3l(Vec3d{}));
  }
}

// P^T dF/dlambda.
void Equations::friction_columns(const PairConstraint& c, const Rubbing& r, CSpan lambda, double* const* columns,
                                 const PathBlock& block) const {
  const LoadFriction& friction = frictions_[c.friction];
  const double factor = friction.law().factor(r.speed);
  const Vec3l axis(r.axis);
  const int n = c.pair.n();
  for (int k = 0; k < n; k += 4) {
    const Lanes move = dot(axis, block.load(friction.turns ? PathBlock::turn : PathBlock::shift, k));
    for (int l = 0; l < std::min(4, n - k); ++l) {
      for (std::size_t row = 0; row < c.rows.size(); ++row) {
        if (c.rows[row].row < 0) continue;
        const double slope = factor * LoadFriction::load_slope(c.rows[row], lambda, r.load);
        columns[c.pair.dofs[k + l]][c.row_slots[row * n + k + l]] = move[l] * slope;
      }
    }
  }
}

double Equations::sliding(std::size_t k, const Workspace& ws, Span row) const {
  const LoadFriction& friction = frictions_[k];
  const PairConstraint& c = pair_constraints_[friction.constraint];
  PairMotion m;
  point_motion(c.pair, ws.nodes, m);
  const Vec3d axis = friction.global_axis(c.pair, ws.nodes);
  std::ranges::fill(row, 0.0);
  for (int i = 0; i < c.pair.n(); ++i) {
    const Twist twist = twist_at(tree_, ws.nodes, c.pair.dofs[i], m.p_B);
    put(row, c.pair.dofs[i], c.pair.side[i] * dot(axis, friction.turns ? twist.turn : twist.shift));
  }
  return friction.speed(c.pair, m, axis, ws.nodes);
}

FrictionForce Equations::friction_force(std::size_t k, const std::vector<NodeState>& nodes, CSpan lambda) const {
  const PairConstraint& c = pair_constraints_[frictions_[k].constraint];
  PairMotion m;
  point_motion(c.pair, nodes, m);
  const Rubbing r = rubbing(c, m, lambda, nodes);
  return {-r.force, r.load.size, r.speed};
}

}  // namespace skyhook::formalism::recursive
