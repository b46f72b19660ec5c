// A point of `to` stays in a plane that is fixed in `from`; `to` turns freely about it.
#pragma once
#include "skyhook/element/ball.h"

namespace skyhook::element {

struct InPlane : JointFields, BallFields {
  std::string plane;
  std::optional<Vec3d> axis;
  std::optional<double> displacement_1, displacement_2, displacement_1_rate, displacement_2_rate;
  std::optional<model::Motion> drive_1, drive_2;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(field(&InPlane::plane, "plane", "-", any(),
                     "xy, xz or yz, whose letters are the displacements; or give `axis`")
                   .mirrored(Mirror::plane_name),
               field(&InPlane::axis, "axis", "-", any(),
                     "the plane's normal: x, y, z or a vector, global; unless x, y or z: displacements u, v")
                   .mirrored(Mirror::plane_normal),
               field(&InPlane::displacement_1, "displacement_1", "m", any(), "initial, along the plane's first axis")
                   .mirrored(Mirror::plane_1),
               field(&InPlane::displacement_2, "displacement_2", "m", any(), "initial, along the plane's second axis")
                   .mirrored(Mirror::plane_2),
               field(&InPlane::displacement_1_rate, "displacement_1_rate", "m/s", any(),
                     "initial speed along the first axis")
                   .mirrored(Mirror::plane_1),
               field(&InPlane::displacement_2_rate, "displacement_2_rate", "m/s", any(),
                     "initial speed along the second axis")
                   .mirrored(Mirror::plane_2),
               field(&InPlane::drive_1, "drive_1", "m", any(), "first displacement over time")
                   .mirrored(Mirror::plane_1)
                   .over("t:s"),
               field(&InPlane::drive_2, "drive_2", "m", any(), "second displacement over time")
                   .mirrored(Mirror::plane_2)
                   .over("t:s")),
      BallFields::fields);
  static constexpr const char* summary = "point in a plane: two translations and free rotation";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
