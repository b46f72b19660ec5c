#include "skyhook/formalism/parts.h"

#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

Parts parts_of(const recursive::Equations& eq) {
  Parts out;
  for (const auto& item : eq.forces()) out.wrenches.push_back({item.force, item.law});
  for (const auto& item : eq.coordinate_forces())
    out.on_coordinates.push_back({item.force, item.iq, item.iv, item.reference});
  for (const auto& item : eq.state_forces())
    out.inner.push_back({item.force, item.first, item.count, item.cut.has_value()});
  for (const auto& friction : eq.frictions()) out.frictions.push_back({friction.what, friction.turns});
  for (const auto& item : eq.contributions())
    out.laws.push_back(
        {item.what, item.rows_all, item.rows, item.first, item.first_own, item.branch, item.remembered()});
  for (const auto& c : eq.pair_constraints()) {
    if (c.what && c.what->is_rod()) out.rods.push_back({c.what, c.rows[0].row_all, c.rows[0].length});
  }
  for (const auto& c : eq.linear_constraints()) out.conditions.push_back({c.joint, c.dof, c.what, c.motion, c.row_all});
  out.contacts = eq.contacts();
  return out;
}

std::vector<model::Relative<double>> relatives_of(const recursive::Equations& eq, const State& state) {
  const auto nodes = nodes_of(eq, state);
  std::vector<model::Relative<double>> out;
  recursive::PairMotion m;
  for (const auto& item : eq.forces()) {
    relative_motion(item.pair, nodes, state.t, m);
    out.push_back(m.rel);
  }
  return out;
}

}  // namespace skyhook::formalism
