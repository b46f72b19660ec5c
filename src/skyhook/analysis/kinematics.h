// Kinematic and quasi-static analysis of suspensions: the characteristics of wheels over their travel, and the outputs of the model.
#pragma once
#include "skyhook/analysis/findings.h"
#include "skyhook/analysis/kinematic_path.h"

namespace skyhook::analysis {

struct KinematicCurves {
  KinematicRig rig;
  KinematicPath path;
  std::vector<simulation::ChannelInfo> channels;
  std::vector<std::vector<double>> values, rates;  // a row a point; rates: derivatives along the abscissa
  std::vector<Warning> warnings;

  int find(const std::string& channel) const;  // -1: there is none
};

// Of `wheel`, for each wheel of the plan:
//   wheel.travel, camber, toe, steer, track_change, wheelbase_change, roll_centre_height, brake_support, drive_support,
//   with their gradients wheel.camber_gradient, ...: exact derivatives along the abscissa,
//   caster, kingpin, trail, scrub_radius with a steering axis, anti_dive and the like with the data of the vehicle,
//   load and rate with a pad;
// motion ratios spring.motion_ratio of all that has a length, of axles front_axle.roll_centre_y and _height; then the outputs.
// Throws ModelError for outputs that are none.
KinematicCurves find_kinematics(const model::Model& model, const model::Experiment& experiment);

// Over the abscissa, without their JSON.
Findings findings_of(const KinematicCurves& curves);

}  // namespace skyhook::analysis
