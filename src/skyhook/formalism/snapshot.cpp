#include "skyhook/formalism/snapshot.h"

#include <array>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

using recursive::Equations;

const model::Motion2& Snapshot::driven(std::size_t drive) const {
  const Equations& eq = equations();
  return nodes[static_cast<std::size_t>(eq.tree().driven[drive].node)].drive;
}

model::Stroke<double> Snapshot::stroke_of(std::size_t coordinate_force) const {
  const Equations& eq = equations();
  const auto& item = eq.coordinate_forces()[coordinate_force];
  return {q[static_cast<std::size_t>(item.iq)] + item.reference, v[static_cast<std::size_t>(item.iv)], t,
          eq.setting(*item.force, signals)};
}

model::Wrench<double> Snapshot::force_of(std::size_t k) const {
  const Equations& eq = equations();
  const recursive::Place& A = eq.forces()[k].pair.A;
  const Mat3d to_global = nodes[static_cast<std::size_t>(A.node)].R * A.axes;
  return {to_global * wrenches[k].f, to_global * wrenches[k].n};
}

model::LoadInput<double> Snapshot::input_of(std::size_t k) const {
  const Equations& eq = equations();
  const recursive::ContributionItem& item = eq.contributions()[k];
  const ContributionState& now = contributions[k];
  const auto states = CSpan(v).subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states));
  return {now.motion, states, now.w, now.s, now.p, now.p_rate, now.lambda};
}

const std::vector<double>& Snapshot::measured_of(std::size_t k) const {
  const Equations& eq = equations();
  const recursive::ContributionItem& item = eq.contributions()[k];
  const ContributionState& now = contributions[k];
  if (!now.measured.empty()) return now.measured;
  std::array<double, model::most_rows> multipliers{};
  for (std::size_t r = 0; r < item.rows_all.size(); ++r)
    multipliers[r] = all_multipliers[static_cast<std::size_t>(item.rows_all[r])];
  item.law().measure(input_of(k), {now.loads, std::span(multipliers).first(item.rows_all.size())}, now.measured);
  return now.measured;
}

model::Wrench<double> Snapshot::wrench_of(std::size_t k) const {
  const Equations& eq = equations();
  const ContributionState& now = contributions[k];
  const std::vector<int>& rows = eq.contributions()[k].rows_all;
  model::Wrench<double> sum = now.loads;
  for (std::size_t r = 0; r < now.rows.size(); ++r) {
    const double multiplier = all_multipliers[static_cast<std::size_t>(rows[r])];
    sum.f -= multiplier * now.rows[r].f, sum.n -= multiplier * now.rows[r].n;
  }
  return {now.to_global * sum.f, now.to_global * sum.n};
}

}  // namespace skyhook::formalism
