// No connection: the six coordinates of a free body relative to `from`.
#pragma once
#include "skyhook/element/ball.h"

namespace skyhook::element {

struct Free : JointFields, BallFields {
  std::optional<Vec3d> displacement, velocity;
  std::optional<model::Motion> drive_x, drive_y, drive_z;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(field(&Free::displacement, "displacement", "m", any(), "initial, from the design position")
                   .mirrored(Mirror::polar),
               field(&Free::velocity, "velocity", "m/s", any(), "initial velocity").mirrored(Mirror::polar),
               field(&Free::drive_x, "drive_x", "m", any(), "x over time").mirrored(Mirror::x).over("t:s"),
               field(&Free::drive_y, "drive_y", "m", any(), "y over time").mirrored(Mirror::y).over("t:s"),
               field(&Free::drive_z, "drive_z", "m", any(), "z over time").mirrored(Mirror::z).over("t:s")),
      BallFields::fields);
  static constexpr const char* summary = "free motion: three translations and three rotations";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
