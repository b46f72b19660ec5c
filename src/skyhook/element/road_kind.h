// What all roads of the section `roads` have: where they lie, what they add, how they are lifted, and their friction.
#pragma once
#include <vector>

#include "skyhook/model/field_source.h"
#include "skyhook/model/surface.h"

namespace skyhook::element {

struct RoadKind {
  model::Marker from;
  std::vector<model::RoadRef> add;
  std::optional<model::Motion> lift;
  std::vector<double> y;
  double flank = 0.1;
  double friction = 1;
  std::vector<model::Patch> patches;
  double along = 1, across = 1;

  static constexpr auto fields = describe(
      field(&RoadKind::from, "from", "-", any(),
            "marker or body that carries the road, whose axes are those of the road; default: the ground"),
      field(&RoadKind::add, "add", "-", any(), "other roads, by name, whose heights are added"),
      field(&RoadKind::lift, "lift", "m", any(), "height over time, added: the road goes up and down").over("t:s"),
      field(&RoadKind::y, "y", "m", any(), "[from, to]: its own heights are there alone; default: for all y"),
      field(&RoadKind::flank, "flank", "m", positive(),
            "with `y`: over this length they fade on either side, smoothly"),
      field(&RoadKind::friction, "friction", "-", at_least(0.0), "factor on the friction of what stands on the road"),
      field(&RoadKind::patches, "patches", "-", any(),
            "rectangles of another friction: {x: [from, to], y: [from, to], friction: 0.1}; the last one counts"),
      field(&RoadKind::along, "along", "-", between(-1.0, 1.0), "-1: x of the road runs against that of `from`")
          .mirrored(Mirror::x)
          .in_axes_of_from(),
      field(&RoadKind::across, "across", "-", between(-1.0, 1.0), "-1: y of the road runs against that of `from`")
          .mirrored(Mirror::y)
          .in_axes_of_from());

  // Puts the road into the model: its own heights, and all that is described above.
  void put(model::Surface::Parts own, const model::FieldSource& source, model::Model& model) const;
  void put(std::shared_ptr<const model::Relief> own, const model::FieldSource& source, model::Model& model) const {
    put(model::Surface::Parts{.reliefs = {std::move(own)}}, source, model);
  }
};

}  // namespace skyhook::element
