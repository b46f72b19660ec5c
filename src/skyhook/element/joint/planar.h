// `to` moves in a plane fixed in `from`: two displacements, then the angle about the plane's normal.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct Planar : JointFields {
  std::string plane;
  std::optional<Vec3d> axis;
  std::optional<double> displacement_1, displacement_2, angle, displacement_1_rate, displacement_2_rate, angle_rate;
  double reference_1 = 0, reference_2 = 0, reference_angle = 0;
  std::optional<model::Motion> drive_1, drive_2, drive_angle;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(field(&Planar::plane, "plane", "-", any(), "xy, xz or yz; or give `axis`"),
               field(&Planar::axis, "axis", "-", any(), "the plane's normal: x, y, z or a vector, global"),
               field(&Planar::displacement_1, "displacement_1", "m", any(), "initial, along the plane's first axis"),
               field(&Planar::displacement_2, "displacement_2", "m", any(), "initial, along the plane's second axis"),
               field(&Planar::angle, "angle", "rad", any(), "initial angle about the normal"),
               field(&Planar::displacement_1_rate, "displacement_1_rate", "m/s", any(),
                     "initial speed along the first axis"),
               field(&Planar::displacement_2_rate, "displacement_2_rate", "m/s", any(),
                     "initial speed along the second axis"),
               field(&Planar::angle_rate, "angle_rate", "rad/s", any(), "initial rate of the angle"),
               field(&Planar::reference_1, "reference_1", "m", any(), "first displacement at design"),
               field(&Planar::reference_2, "reference_2", "m", any(), "second displacement at design"),
               field(&Planar::reference_angle, "reference_angle", "rad", any(), "angle at design"),
               field(&Planar::drive_1, "drive_1", "m", any(), "first displacement over time").over("t:s"),
               field(&Planar::drive_2, "drive_2", "m", any(), "second displacement over time").over("t:s"),
               field(&Planar::drive_angle, "drive_angle", "rad", any(), "angle over time").over("t:s")));
  static constexpr const char* summary = "motion in a plane: two translations and the rotation about its normal";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
