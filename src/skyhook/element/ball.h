// The rotation part of spherical and free joints: a ball (unit quaternion) or three Cardan angles.
#pragma once
#include <array>

#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct BallFields {
  std::string coordinates = "quaternion";
  std::optional<Vec3d> angles, angular_velocity;
  std::optional<model::Motion> drive_angle_x, drive_angle_y, drive_angle_z;

  static constexpr auto fields = describe(
      field(&BallFields::coordinates, "coordinates", "-", any(), "quaternion, or cardan: angle_x, angle_y, angle_z"),
      field(&BallFields::angles, "angles", "rad", any(), "initial Cardan angles x-y-z; zero at design")
          .mirrored(Mirror::axial),
      field(&BallFields::angular_velocity, "angular_velocity", "rad/s", any(), "initial, relative, in axes of `to`")
          .mirrored(Mirror::axial),
      field(&BallFields::drive_angle_x, "drive_angle_x", "rad", any(), "angle_x over time; makes the joint cardan")
          .mirrored(Mirror::yz)
          .over("t:s"),
      field(&BallFields::drive_angle_y, "drive_angle_y", "rad", any(), "angle_y over time; makes the joint cardan")
          .mirrored(Mirror::xz)
          .over("t:s"),
      field(&BallFields::drive_angle_z, "drive_angle_z", "rad", any(), "angle_z over time; makes the joint cardan")
          .mirrored(Mirror::xy)
          .over("t:s"));
};

// Appends the ball, or the three revolute coordinates about x, y', z''.
void add_rotation(model::Joint& joint, const BallFields& ball, const model::FieldSource& source);

// Rates of the Cardan angles for the angular velocity w in the rotated axes; they have none where cos(angles.y) = 0.
std::optional<Vec3d> cardan_rates(const Vec3d& angles, const Vec3d& w);

}  // namespace skyhook::element
