// `to` slides along one axis of `from` and turns about it.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct Cylindrical : JointFields {
  Vec3d axis{0, 0, 1};
  std::optional<double> displacement, displacement_rate, angle, angle_rate;
  double reference_displacement = 0, reference_angle = 0;
  std::optional<model::Motion> drive_displacement, drive_angle;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(
          field(&Cylindrical::axis, "axis", "-", any(), "x, y, z or a vector, global").mirrored(Mirror::polar),
          field(&Cylindrical::displacement, "displacement", "m", any(), "initial displacement along the axis"),
          field(&Cylindrical::angle, "angle", "rad", any(), "initial angle about the axis").mirrored(Mirror::xyz),
          field(&Cylindrical::displacement_rate, "displacement_rate", "m/s", any(), "initial sliding speed"),
          field(&Cylindrical::angle_rate, "angle_rate", "rad/s", any(), "initial rate of the angle")
              .mirrored(Mirror::xyz),
          field(&Cylindrical::reference_displacement, "reference_displacement", "m", any(),
                "what the displacement is called at design"),
          field(&Cylindrical::reference_angle, "reference_angle", "rad", any(), "what the angle is called at design")
              .mirrored(Mirror::xyz),
          field(&Cylindrical::drive_displacement, "drive_displacement", "m", any(), "displacement over time")
              .over("t:s"),
          field(&Cylindrical::drive_angle, "drive_angle", "rad", any(), "angle over time")
              .mirrored(Mirror::xyz)
              .over("t:s")));
  static constexpr const char* summary = "translation along one axis and rotation about it";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
