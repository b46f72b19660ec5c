// Stairs: kerbs, potholes, staircases.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Stair : RoadKind {
  std::vector<double> at, height;
  double rounding = 0;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&Stair::at, "at", "m", any(), "x of a stair, or of several in rising order").required(),
          field(&Stair::height, "height", "m", any(), "of each: the road goes up by it towards larger x").required(),
          field(&Stair::rounding, "rounding", "m", at_least(0.0),
                "length over which the road rises, with the middle at the stair; 0: it jumps")),
      RoadKind::fields);
  static constexpr const char* summary = "stairs: kerbs, holes with edges";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
