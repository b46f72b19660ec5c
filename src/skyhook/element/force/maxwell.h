// A spring in series with a damper, and a spring beside both: a mount, a bushing of rubber, a damper with its top mount.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct Maxwell : LineOrJointFields {
  double stiffness = 0, damping = 0, parallel_stiffness = 0;
  std::optional<double> blow_off, blow_off_damping;
  std::optional<double> free_length;
  double angular_stiffness = 0, angular_damping = 0, parallel_angular_stiffness = 0;
  std::optional<double> free_angle;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(
          field(&Maxwell::stiffness, "stiffness", "N/m", at_least(0.0), "of the spring in series with the damper"),
          field(&Maxwell::damping, "damping", "N.s/m", at_least(0.0), "of the damper"),
          field(&Maxwell::parallel_stiffness, "parallel_stiffness", "N/m", at_least(0.0), "of a spring beside both"),
          field(&Maxwell::free_length, "free_length", "m", any(),
                "length without force, the damper at 0; default: that at design")
              .mirrored(Mirror::coordinate),
          field(&Maxwell::blow_off, "blow_off", "N", positive(),
                "force at which a valve of the damper opens, either way; default: none"),
          field(&Maxwell::blow_off_damping, "blow_off_damping", "N.s/m", positive(),
                "of the damper beyond that; default: a twentieth of `damping`"),
          field(&Maxwell::angular_stiffness, "angular_stiffness", "N.m/rad", at_least(0.0), "for angles"),
          field(&Maxwell::angular_damping, "angular_damping", "N.m.s/rad", at_least(0.0), "for angles"),
          field(&Maxwell::parallel_angular_stiffness, "parallel_angular_stiffness", "N.m/rad", at_least(0.0),
                "for angles"),
          field(&Maxwell::free_angle, "free_angle", "rad", any(), "as free_length; default: that at design")
              .mirrored(Mirror::coordinate)));
  static constexpr const char* summary = "spring in series with a damper, and a spring beside both";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
