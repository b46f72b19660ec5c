#include "skyhook/analysis/rigid_wheels.h"

#include <fmt/format.h>

#include "skyhook/element/rail/standing.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/track_line.h"

namespace skyhook::analysis {

std::optional<Warning> too_many_rigid_wheels(const model::Model& m) {
  constexpr int most = 8;  // of one coach
  int count = 0;
  const model::Contribution* first = nullptr;
  for (const model::Contribution& what : m.contributions) {
    const auto* law = element::rail::on_rail_of(what);
    const bool is_rigid =
        law && !what.law->declared().contact_variables.empty();  // of quasi-elastic ones they are eliminated
    if (!is_rigid || !law->line() || law->line()->is_straight()) continue;
    if (count++ == 0) first = &what;
  }
  if (count <= most) return {};
  return Warning{
      "rigid_wheels", first->where,
      fmt::format("{} wheels have `contact: rigid` on a line with curves: contact points jump from tread to flange and "
                  "back, at each jump the integrator begins anew, and the run takes many times as long.",
                  count),
      "Take `contact: quasi_elastic`, which has the same constraint without jumps, or `contact: multi_hertz`."};
}

}  // namespace skyhook::analysis
