// `to` moves in a plane fixed in `from`: two displacements, then the angle about the plane's normal.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

// The plane's two axes and its normal, the names of the displacements, and the signs that displacements and angle take
// where the joint is mirrored: the axes that follow from the mirrored normal are not always the mirrored axes.
struct PlaneAxes {
  Vec3d first, second, normal;
  const char *first_name, *second_name;
  Mirror first_mirror, second_mirror, angle_mirror;
};
std::optional<PlaneAxes> plane_named(const std::string& name);  // xy, xz or yz
PlaneAxes plane_across(const Vec3d& unit_normal);
// The plane that a joint gives by name or by its normal. ModelError unless it does so once.
PlaneAxes plane_of(const std::string& name, const std::optional<Vec3d>& normal, const model::FieldSource& source);

// Appends a displacement in the plane, number 1 or 2.
struct InPlaneMotion {
  std::optional<double> position, velocity;
  std::optional<model::Motion> drive;
  double reference = 0;
};
void add_displacement(model::Joint& joint, const PlaneAxes& axes, int number, const InPlaneMotion& given,
                      const model::FieldSource& source);

// A normal along a coordinate axis stays as it is in the mirror, and so does the plane; another is a polar vector.
bool is_along_axis(const Vec3d& normal);

struct Planar : JointFields {
  std::string plane;
  std::optional<Vec3d> axis;
  std::optional<double> displacement_1, displacement_2, angle, displacement_1_rate, displacement_2_rate, angle_rate;
  double reference_1 = 0, reference_2 = 0, reference_angle = 0;
  std::optional<model::Motion> drive_1, drive_2, drive_angle;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(
          field(&Planar::plane, "plane", "-", any(),
                "xy, xz or yz, whose letters and `angle` are the coordinates; or give `axis`")
              .mirrored(Mirror::plane_name),
          field(&Planar::axis, "axis", "-", any(),
                "the plane's normal: x, y, z or a vector, global; unless x, y or z: coordinates u, v, angle")
              .mirrored(Mirror::plane_normal),
          field(&Planar::displacement_1, "displacement_1", "m", any(), "initial, along the plane's first axis")
              .mirrored(Mirror::plane_1),
          field(&Planar::displacement_2, "displacement_2", "m", any(), "initial, along the plane's second axis")
              .mirrored(Mirror::plane_2),
          field(&Planar::angle, "angle", "rad", any(), "initial angle about the normal").mirrored(Mirror::plane_angle),
          field(&Planar::displacement_1_rate, "displacement_1_rate", "m/s", any(), "initial speed along the first axis")
              .mirrored(Mirror::plane_1),
          field(&Planar::displacement_2_rate, "displacement_2_rate", "m/s", any(),
                "initial speed along the second axis")
              .mirrored(Mirror::plane_2),
          field(&Planar::angle_rate, "angle_rate", "rad/s", any(), "initial rate of the angle")
              .mirrored(Mirror::plane_angle),
          field(&Planar::reference_1, "reference_1", "m", any(), "first displacement at design")
              .mirrored(Mirror::plane_1),
          field(&Planar::reference_2, "reference_2", "m", any(), "second displacement at design")
              .mirrored(Mirror::plane_2),
          field(&Planar::reference_angle, "reference_angle", "rad", any(), "angle at design")
              .mirrored(Mirror::plane_angle),
          field(&Planar::drive_1, "drive_1", "m", any(), "first displacement over time")
              .mirrored(Mirror::plane_1)
              .over("t:s"),
          field(&Planar::drive_2, "drive_2", "m", any(), "second displacement over time")
              .mirrored(Mirror::plane_2)
              .over("t:s"),
          field(&Planar::drive_angle, "drive_angle", "rad", any(), "angle over time")
              .mirrored(Mirror::plane_angle)
              .over("t:s")));
  static constexpr const char* summary = "motion in a plane: two translations and the rotation about its normal";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
