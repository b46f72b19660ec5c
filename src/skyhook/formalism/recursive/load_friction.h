// Friction of a cut joint that depends on its load ([Arnold 2004] (29); docs/theory/09_hybrid_systems.md): F =
// factor(speed) load(lambda) against the free motion of the joint, with its force and moments from lambda.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/constraint_law.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formalism::recursive {

struct LoadFriction {
  LoadFriction(const model::Contribution& friction, const model::Joint& joint, int constraint_of_joint);

  struct Carried {  // from multipliers of the active rows
    Vec3d force;    // in A's axes
    double moments = 0;
  };
  using Load = model::LoadedFriction::Load;

  const model::Contribution* what;
  Vec3d axis;      // of the free motion, fixed in A
  bool turns;      // hinge or slider
  int constraint;  // among Equations::pair_constraints()

  const model::LoadedFriction& law() const { return *what->friction; }
  static Carried carried(const std::vector<PairRow>& rows, CSpan lambda);
  Load load(const std::vector<PairRow>& rows, CSpan lambda) const;
  static double load_slope(const PairRow& row, CSpan lambda, const Load& load);  // dN/dlambda

  Vec3d global_axis(const Pair& pair, const std::vector<NodeState>& x) const { return axes_of_a(pair, x) * axis; }
  double speed(const Pair& pair, const PairMotion& m, const Vec3d& along, const std::vector<NodeState>& x) const {
    return dot(along, turns ? x[pair.B.node].w - x[pair.A.node].w : m.v_AB);
  }
};

}  // namespace skyhook::formalism::recursive
