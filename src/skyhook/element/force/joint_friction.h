// Dry friction of a hinge or slider that grows with the load of the joint ([Arnold 2004] (29)).
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct JointFriction {
  model::CoordinateRef joint;
  double coefficient = 0;
  std::optional<double> radius;
  double stick_speed = 1e-3;
  double preload = 0;
  std::optional<double> moment_arm;
  double thrust = 1;
  double smooth_load = 1e-3;

  static constexpr auto fields = describe(
      field(&JointFriction::joint, "joint", "-", any(), "the revolute or prismatic joint that rubs; it will be cut")
          .required(),
      field(&JointFriction::coefficient, "coefficient", "-", at_least(0.0), "friction force over load").required(),
      field(&JointFriction::radius, "radius", "m", positive(), "of the bearing: required for a revolute joint"),
      field(&JointFriction::stick_speed, "stick_speed", "m/s", positive(),
            "sliding speed below which the force grows with speed, as tanh(speed / stick_speed)"),
      field(&JointFriction::preload, "preload", "N", at_least(0.0), "load that is always there, beside the joint's"),
      field(&JointFriction::moment_arm, "moment_arm", "m", positive(),
            "length of guide or bearing over which the joint carries moments; default: moments do not count"),
      field(&JointFriction::thrust, "thrust", "-", at_least(0.0),
            "by how much a force along the axis of a revolute joint counts: collar radius / radius"),
      field(&JointFriction::smooth_load, "smooth_load", "N", positive(), "rounds the load off where it passes zero"));
  static constexpr const char* summary = "dry friction of a revolute or prismatic joint, in proportion to its load";
  void add_to(model::FieldSource& source, model::Model& model) const;
  std::shared_ptr<const model::LoadedFriction> law(const model::Dof& free_motion) const;
};

}  // namespace skyhook::element
