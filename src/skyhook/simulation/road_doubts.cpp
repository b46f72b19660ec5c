#include "skyhook/simulation/road_doubts.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/model/surface.h"
#include "skyhook/simulation/road_shapes.h"

namespace skyhook::simulation {
namespace {

constexpr double much = 0.2;  // of the variance; a wheel on its track loses nothing, one in the middle half of it

}  // namespace

std::vector<Warning> doubts_of_roads(const model::Model& m) {
  std::vector<Warning> out;
  for (const model::Contribution& what : m.contributions) {
    const model::Road* road = road_below(m, what);
    if (!road) continue;
    const Vec3d at = transpose_times(road->from.axes, what.to.at - road->from.at);
    double lost = 0;
    for (const auto& relief : road->surface->parts().reliefs) lost = std::max(lost, relief->evened_out(at.y));
    if (lost < much) continue;
    out.push_back(
        {"between_tracks", what.where,
         fmt::format("\"{}\" stands at y = {:.3g} m, between the two tracks of road \"{}\", where the height is a mean "
                     "of both: of short waves, which they do not share, "
                     "{:.0f} % of the power is gone.",
                     what.name, at.y, road->name, 100 * lost),
         "A single wheel takes `tracks: 1` (of a profile one table); else set `track` to the distance of the wheels."});
  }
  return out;
}

}  // namespace skyhook::simulation
