// A linear condition between joint coordinates: sum of ratio_k * coordinate_k = offset.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct Coupler {
  model::CoordinateRef coordinate_1, coordinate_2;
  std::optional<model::CoordinateRef> coordinate_3;
  double ratio_1 = 1, ratio_2 = -1, ratio_3 = 1;
  std::optional<double> offset;
  std::optional<model::Motion> drive;

  // Ratios and offset are plain SI numbers: which unit they would have depends on the coordinates.
  static constexpr auto fields = describe(
      field(&Coupler::coordinate_1, "coordinate_1", "-", any(), "joint coordinate: crank or crank.angle").required(),
      field(&Coupler::ratio_1, "ratio_1", "-", any(), "its factor, SI").mirrored(Mirror::coordinate),
      field(&Coupler::coordinate_2, "coordinate_2", "-", any(), "second joint coordinate").required(),
      field(&Coupler::ratio_2, "ratio_2", "-", any(), "its factor, SI").mirrored(Mirror::coordinate),
      field(&Coupler::coordinate_3, "coordinate_3", "-", any(), "third joint coordinate, if any"),
      field(&Coupler::ratio_3, "ratio_3", "-", any(), "its factor, SI").mirrored(Mirror::coordinate),
      field(&Coupler::offset, "offset", "-", any(), "value of the sum, SI; default: that of the design position"),
      field(&Coupler::drive, "drive", "-", any(), "value of the sum over time, SI, instead of `offset`").over("t:s"));
  static constexpr const char* summary = "linear condition between two or three joint coordinates";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
