// A body rides along a curve that another body carries: one coordinate, the way along it.
#pragma once
#include "skyhook/element/curve_fields.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct Guide : PairFields, CurveFields {
  std::string axes = "follow";
  std::optional<Vec3d> up;
  std::optional<double> position, rate;
  std::optional<model::Motion> drive;

  static constexpr auto fields =
      std::tuple_cat(PairFields::fields, CurveFields::fields,
                     describe(field(&Guide::axes, "axes", "-", any(),
                                    "of `to`: follow, they turn with the curve; keep, they stay as they are to `from`")
                                  .one_of("follow keep"),
                              field(&Guide::up, "up", "-", any(),
                                    "with axes: follow, a direction in axes of `from` that the body's side stays "
                                    "perpendicular to; default: z, or one "
                                    "to which the curve is nowhere parallel")
                                  .mirrored(Mirror::polar)
                                  .in_axes_of_from(),
                              field(&Guide::position, "position", "m", any(),
                                    "initial value: length of the way from the curve's beginning"),
                              field(&Guide::rate, "rate", "m/s", any(), "initial speed along the curve"),
                              field(&Guide::drive, "drive", "m", any(), "position over time").over("t:s")));
  static constexpr const char* summary = "a body rides along a curve: position and axes follow it";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
