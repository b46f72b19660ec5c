#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

model::Wrench<double> Snapshot::wrench_of(std::size_t k) const {
  const recursive::ContributionState& now = contributions[k];
  const std::vector<int>& rows = equations().contributions()[k].rows_all;
  model::Wrench<double> sum = now.loads;
  for (std::size_t r = 0; r < now.rows.size(); ++r) {
    const double multiplier = all_multipliers[static_cast<std::size_t>(rows[r])];
    sum.f -= multiplier * now.rows[r].f, sum.n -= multiplier * now.rows[r].n;
  }
  return {now.to_global * sum.f, now.to_global * sum.n};
}

}  // namespace skyhook::formalism
