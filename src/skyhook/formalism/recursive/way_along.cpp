#include "skyhook/formalism/recursive/way_along.h"

#include "skyhook/model/along_track.h"

namespace skyhook::formalism::recursive {

double WayAlong::at(const std::vector<NodeState>& nodes) const {
  if (node < 0) return model::anywhere;
  return at_design + nodes[static_cast<std::size_t>(node)].guide->q[0];
}

WayAlong way_along(const Tree& tree, const model::Contribution& what, int node) {
  const auto* stands = dynamic_cast<const model::OnTrackLine*>(what.law.get());
  const model::TrackLine* line = stands ? stands->track_line() : nullptr;
  if (!line || line->is_straight()) return {};
  for (; node > 0; node = tree.nodes[static_cast<std::size_t>(node)].parent) {
    const Node& at = tree.nodes[static_cast<std::size_t>(node)];
    const auto* along = dynamic_cast<const model::AlongTrack*>(at.guide.get());
    if (!along || &along->laid_line() != line) continue;
    const Vec3d r = transpose_times(what.from.axes, what.to.at - what.from.at);
    return {node, line->foot(r, along->way_at_design())};
  }
  return {};
}

}  // namespace skyhook::formalism::recursive
