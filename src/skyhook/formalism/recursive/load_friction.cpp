#include "skyhook/formalism/recursive/load_friction.h"

#include <cmath>

namespace skyhook::formalism::recursive {
namespace {

double squared(double x) { return x * x; }

}  // namespace

LoadFriction::LoadFriction(const model::JointFriction& friction, const model::Joint& joint, int constraint_of_joint)
    : law(&friction),
      axis(joint.shape.dofs[0].axis),
      turns(joint.shape.dofs[0].kind == model::Dof::Kind::revolute),
      lever(turns ? friction.radius : 1.0),
      constraint(constraint_of_joint) {}

double LoadFriction::factor(double speed) const { return full_factor() * std::tanh(lever * speed / law->stick_speed); }

double LoadFriction::factor_slope(double speed) const {
  const double c = std::cosh(lever * speed / law->stick_speed);
  return full_factor() * lever / law->stick_speed / (c * c);  // where cosh overflows: zero
}

LoadFriction::Carried LoadFriction::carried(const std::vector<PairRow>& rows, CSpan lambda, bool rounded) const {
  Vec3d f;
  double moments = 0;
  for (const PairRow& row : rows) {
    if (row.row < 0) continue;
    if (row.kind == PairRow::Kind::translation)
      f += lambda[row.row] * row.a;
    else
      moments += squared(lambda[row.row]);
  }
  const double along = dot(f, axis), dropped = 1 - squared(law->thrust);
  double sum = dot(f, f) - dropped * squared(along);
  if (law->moment_arm > 0) sum += moments / squared(law->moment_arm);
  if (rounded) sum += squared(law->smooth_load);
  return {std::sqrt(std::max(sum, 0.0)), f - dropped * along * axis};
}

double LoadFriction::load_slope(const PairRow& row, CSpan lambda, const Carried& c) const {
  if (row.row < 0 || c.w == 0) return 0.0;
  if (row.kind == PairRow::Kind::translation) return dot(c.force, row.a) / c.w;
  return law->moment_arm > 0 ? lambda[row.row] / (squared(law->moment_arm) * c.w) : 0.0;
}

}  // namespace skyhook::formalism::recursive
