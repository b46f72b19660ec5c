// The fields of an experiment with `analysis: kinematics`.
#pragma once
#include <optional>
#include <string>

#include "skyhook/base/field.h"

namespace skyhook::io::model_file {

// PartOfFile: Part of fields.h, which includes this.
template <class PartOfFile>
struct KinematicsFieldsOf {
  std::string mode = "auto";
  int points = 41;
  PartOfFile travel, loads, hold, without_part, wheels, steering;
  std::optional<double> wheelbase, cg_height, brake_share, drive_share;

  static constexpr auto fields = describe(
      field(&KinematicsFieldsOf::travel, "travel", "-", any(),
            "kinematics: what moves: a wheel (up from design) or joint.coordinate: [from, to], or one value to hold"),
      field(&KinematicsFieldsOf::loads, "loads", "-", any(),
            "kinematics: at the contact point of a wheel: wheel: {longitudinal, lateral: N, aligning: N.m}, [from, to] "
            "or "
            "one value"),
      field(&KinematicsFieldsOf::hold, "hold", "-", any(), "kinematics: joints that stand still"),
      field(&KinematicsFieldsOf::without_part, "without", "-", any(), "kinematics: forces that are left out"),
      field(&KinematicsFieldsOf::wheels, "wheels", "-", any(),
            "kinematics: bodies with `wheel` that are measured; default: all"),
      field(&KinematicsFieldsOf::steering, "steering", "-", any(),
            "kinematics: joint.coordinate that steers: its motion shows the steering axes of wheels that give none"),
      field(&KinematicsFieldsOf::mode, "mode", "-", any(),
            "kinematics: from the constraints alone, or in equilibrium; auto: kinematic where the drives fix all")
          .one_of("auto kinematic quasi_static"),
      field(&KinematicsFieldsOf::points, "points", "-", between(2, 100000), "kinematics: positions along the travel"),
      field(&KinematicsFieldsOf::wheelbase, "wheelbase", "m", Range{.low = 0, .low_excluded = true},
            "kinematics: of the vehicle, for anti-dive and the like"),
      field(&KinematicsFieldsOf::cg_height, "cg_height", "m", Range{.low = 0, .low_excluded = true},
            "kinematics: of the vehicle's centre of mass above the ground"),
      field(&KinematicsFieldsOf::brake_share, "brake_share", "-", between(0, 1),
            "kinematics: of the front axle in the brake force"),
      field(&KinematicsFieldsOf::drive_share, "drive_share", "-", between(0, 1),
            "kinematics: of the front axle in the drive force"));
};

}  // namespace skyhook::io::model_file
