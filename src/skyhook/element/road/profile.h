// A measured road: heights over x, of one or two tracks.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Profile : RoadKind {
  std::optional<model::Curve> height, left, right;
  double track = 1.5;
  std::string interpolation = "monotone";

  static constexpr auto fields = std::tuple_cat(
      describe(field(&Profile::height, "height", "m", any(), "over x, for all y").over("x:m"),
               field(&Profile::left, "left", "m", any(), "in place of height: that of the left track, y = track/2")
                   .over("x:m"),
               field(&Profile::right, "right", "m", any(), "and that of the right one, y = -track/2").over("x:m"),
               field(&Profile::track, "track", "m", positive(), "distance of the two tracks"),
               field(&Profile::interpolation, "interpolation", "-", any(),
                     "between the rows of a table: monotone, smooth without overshoot; spline, with a continuous "
                     "curvature; linear, with corners")
                   .one_of("monotone spline linear")),
      RoadKind::fields);
  static constexpr const char* summary = "heights over x from a table, a CSV file or a formula, of one or two tracks";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
