// Dry friction of a cut joint that grows with its load (SPEC E6, S0 (29); docs/theory/09):
//
//   F = s(speed) N(lambda),   s = mu r tanh(r speed / stick_speed),   N = preload + w
//   0 = w^2 - |f|^2 + (1 - thrust^2) (f . axis)^2 - |n|^2 / moment_arm^2 - smooth_load^2
//
// against the free motion of the joint, with its force f and moment n from lambda; r is the radius of a hinge, 1 for a slider.
// The auxiliary variable w of S0 (29) has a closed form here and is eliminated.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/constraint_law.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formalism::recursive {

struct LoadFriction {
  LoadFriction(const model::JointFriction& friction, const model::Joint& joint, int constraint_of_joint);

  struct Carried {
    double w = 0;
    Vec3d force;  // dw/df = force / w, in A's axes
  };

  const model::JointFriction* law;
  Vec3d axis;      // of the free motion, fixed in A
  bool turns;      // hinge or slider
  double lever;    // r
  int constraint;  // among Equations::pair_constraints()

  double full_factor() const { return law->coefficient * lever; }
  double factor(double speed) const;        // s
  double factor_slope(double speed) const;  // ds/dspeed

  // From multipliers of the active rows; without rounding off the load of no multipliers is zero.
  Carried carried(const std::vector<PairRow>& rows, CSpan lambda, bool rounded = true) const;
  double load(const Carried& c) const { return law->preload + c.w; }
  double load_slope(const PairRow& row, CSpan lambda, const Carried& c) const;  // dN/dlambda

  Vec3d global_axis(const Pair& pair, const std::vector<NodeState>& x) const { return axes_of_a(pair, x) * axis; }
  double speed(const Pair& pair, const PairMotion& m, const Vec3d& along, const std::vector<NodeState>& x) const {
    return dot(along, turns ? x[pair.B.node].w - x[pair.A.node].w : m.vw);
  }
};

}  // namespace skyhook::formalism::recursive
