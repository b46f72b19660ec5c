#include "skyhook/analysis/statics_of.h"

#include <algorithm>

#include "skyhook/formalism/coordinate_motion.h"

namespace skyhook::analysis {

std::shared_ptr<model::Held> held_at(const simulation::Prepared& p, const formalism::State& state) {
  auto held = std::make_shared<model::Held>(*p.active->held());
  held->offsets.resize(p.all->rows().size(), 0.0);
  for (const formalism::SwitchRow& row : p.all->switch_rows()) {
    if (!row.what->holds(model::Row::Holds::stuck)) continue;
    const model::Row::Term& term = row.what->row->terms[0];
    held->modes[model::number_of(*p.model, *row.what)] = model::Stick::sticks;
    held->offsets[static_cast<std::size_t>(row.row)] =
        formalism::CoordinateMotion(*p.all, term.joint, term.dof).value(*p.all, state);
  }
  return held;
}

std::shared_ptr<const simulation::Equations> with_switches(const simulation::Prepared& p,
                                                           const std::shared_ptr<const model::Held>& held,
                                                           Lasting which) {
  std::vector<int> rows = (which == Lasting::all ? p.all : p.active)->active();
  for (const formalism::SwitchRow& row : p.all->switch_rows()) rows.push_back(row.row);
  std::ranges::sort(rows);
  return std::make_shared<const simulation::Equations>(p.model, p.topology, rows, held);
}

}  // namespace skyhook::analysis
