#include "skyhook/simulation/frame_doubts.h"

#include <fmt/format.h>

#include "skyhook/flexible/lost_inertia.h"

namespace skyhook::simulation {

std::vector<Warning> doubts_of_frames(const model::Model& m) {
  std::vector<Warning> out;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const auto found = flexible::hinged_frame(m, static_cast<int>(b));
    if (!found) continue;
    out.push_back(
        {"hinged_frame", m.bodies[b].where,
         fmt::format("The frame of body \"{}\" is tangent at \"{}\", where joint \"{}\" lets it turn, so that it has "
                     "little inertia of its own: where the "
                     "body bends by {:.2g} m or more, small displacements from it are too coarse, and answers are "
                     "wrong by a tenth of the deflection and more.",
                     m.bodies[b].name, found->point, found->joint, found->bend),
         fmt::format("Take the line between two places as frame (`chord: [{}, ...]`) or mean axes.", found->point)});
  }
  return out;
}

}  // namespace skyhook::simulation
