#include "skyhook/formalism/recursive/load_friction.h"

namespace skyhook::formalism::recursive {

LoadFriction::LoadFriction(const model::Contribution& friction, const model::Joint& joint, int constraint_of_joint)
    : what(&friction),
      axis(joint.shape.dofs[0].axis),
      turns(joint.shape.dofs[0].kind == model::Dof::Kind::revolute),
      constraint(constraint_of_joint) {}

LoadFriction::Carried LoadFriction::carried(const std::vector<PairRow>& rows, CSpan lambda) {
  Carried out;
  for (const PairRow& row : rows) {
    if (row.row < 0) continue;
    if (row.kind == PairRow::Kind::translation)
      out.force += lambda[row.row] * row.a;
    else
      out.moments += lambda[row.row] * lambda[row.row];
  }
  return out;
}

LoadFriction::Load LoadFriction::load(const std::vector<PairRow>& rows, CSpan lambda) const {
  const Carried now = carried(rows, lambda);
  return law().load(now.force, now.moments);
}

double LoadFriction::load_slope(const PairRow& row, CSpan lambda, const Load& load) {
  if (row.row < 0) return 0.0;
  return row.kind == PairRow::Kind::translation ? dot(load.by_force, row.a) : 2 * lambda[row.row] * load.by_moments;
}

}  // namespace skyhook::formalism::recursive
