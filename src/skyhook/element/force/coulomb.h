// Dry friction made smooth, along a line or on a joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct Coulomb : LineOrJointFields {
  double sliding_force = 0, slip_speed = 0.01, stribeck_speed = 0.1;
  std::optional<double> static_force;
  double sliding_moment = 0, angular_slip_speed = 0.01, angular_stribeck_speed = 0.1;
  std::optional<double> static_moment;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(
          field(&Coulomb::sliding_force, "sliding_force", "N", at_least(0.0), "against the motion, where it slides"),
          field(&Coulomb::static_force, "static_force", "N", at_least(0.0),
                "near standstill (Stribeck); default: sliding_force"),
          field(&Coulomb::stribeck_speed, "stribeck_speed", "m/s", positive(),
                "at which 37 % of the difference between both is left"),
          field(&Coulomb::slip_speed, "slip_speed", "m/s", positive(), "at which 76 % of the force is reached"),
          field(&Coulomb::sliding_moment, "sliding_moment", "N.m", at_least(0.0), "for angles"),
          field(&Coulomb::static_moment, "static_moment", "N.m", at_least(0.0), "for angles"),
          field(&Coulomb::angular_stribeck_speed, "angular_stribeck_speed", "rad/s", positive(), "for angles"),
          field(&Coulomb::angular_slip_speed, "angular_slip_speed", "rad/s", positive(), "for angles")));
  static constexpr const char* summary = "dry friction made smooth, between two points or on a joint coordinate";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
