// A Hooke joint: `to` turns about axis_1, fixed in `from`, then about axis_2, fixed in `to`.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct Universal : JointFields {
  Vec3d axis_1, axis_2;
  std::optional<double> angle_1, angle_2, angle_1_rate, angle_2_rate;
  double reference_1 = 0, reference_2 = 0;
  std::optional<model::Motion> drive_1, drive_2;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(field(&Universal::axis_1, "axis_1", "-", any(), "axis fixed in `from`: x, y, z or a vector, global")
                   .mirrored(Mirror::axial)
                   .required(),
               field(&Universal::axis_2, "axis_2", "-", any(), "axis fixed in `to`, perpendicular to axis_1")
                   .mirrored(Mirror::axial)
                   .required(),
               field(&Universal::angle_1, "angle_1", "rad", any(), "initial angle about axis_1"),
               field(&Universal::angle_2, "angle_2", "rad", any(), "initial angle about axis_2"),
               field(&Universal::angle_1_rate, "angle_1_rate", "rad/s", any(), "initial rate of angle_1"),
               field(&Universal::angle_2_rate, "angle_2_rate", "rad/s", any(), "initial rate of angle_2"),
               field(&Universal::reference_1, "reference_1", "rad", any(), "what angle_1 is called at design"),
               field(&Universal::reference_2, "reference_2", "rad", any(), "what angle_2 is called at design"),
               field(&Universal::drive_1, "drive_1", "rad", any(), "angle_1 over time").over("t:s"),
               field(&Universal::drive_2, "drive_2", "rad", any(), "angle_2 over time").over("t:s")));
  static constexpr const char* summary = "Hooke joint: rotation about two perpendicular axes through one point";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
