// A spring and a damper in parallel, along a line or on a joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct SpringDamper : LineOrJointFields {
  double stiffness = 0, damping = 0, preload = 0;
  std::optional<double> free_length;
  std::optional<model::Curve> force, damper_force;
  double angular_stiffness = 0, angular_damping = 0, angular_preload = 0;
  std::optional<double> free_angle;
  std::optional<model::Curve> moment, damper_moment;
  bool corners = false;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(
          field(&SpringDamper::stiffness, "stiffness", "N/m", at_least(0.0), "linear rate"),
          field(&SpringDamper::damping, "damping", "N.s/m", at_least(0.0), "viscous rate"),
          field(&SpringDamper::free_length, "free_length", "m", any(),
                "length of deflection 0; default: that at design")
              .mirrored(Mirror::coordinate),
          field(&SpringDamper::preload, "preload", "N", any(), "added to the force, positive in tension")
              .mirrored(Mirror::coordinate),
          field(&SpringDamper::force, "force", "N", any(),
                "over the deflection, positive in tension; replaces stiffness")
              .mirrored(Mirror::coordinate)
              .over("x:m", "x:q"),
          field(&SpringDamper::damper_force, "damper_force", "N", any(), "over the rate of length; replaces damping")
              .mirrored(Mirror::coordinate)
              .over("v:m/s", "v:q"),
          field(&SpringDamper::angular_stiffness, "angular_stiffness", "N.m/rad", at_least(0.0), "for angles"),
          field(&SpringDamper::angular_damping, "angular_damping", "N.m.s/rad", at_least(0.0), "for angles"),
          field(&SpringDamper::free_angle, "free_angle", "rad", any(), "angle of deflection 0; default: that at design")
              .mirrored(Mirror::coordinate),
          field(&SpringDamper::angular_preload, "angular_preload", "N.m", any(), "added to the moment")
              .mirrored(Mirror::coordinate),
          field(&SpringDamper::moment, "moment", "N.m", any(), "over the deflection; replaces angular_stiffness")
              .mirrored(Mirror::coordinate)
              .over("x:rad", "x:q"),
          field(&SpringDamper::damper_moment, "damper_moment", "N.m", any(), "over the rate; replaces angular_damping")
              .mirrored(Mirror::coordinate)
              .over("v:rad/s", "v:q"),
          field(&SpringDamper::corners, "corners", "-", any(),
                "true: steps of a run end where rows of its tables are, since the curvature jumps there")));
  static constexpr const char* summary = "spring and damper in parallel, between two points or on a joint coordinate";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
