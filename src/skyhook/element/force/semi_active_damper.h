// A damper whose rate a controller sets, along a line or on a joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct SemiActiveDamper : LineOrJointFields {
  model::SignalRef signal;
  double damping = 0, minimum_damping = 0, angular_damping = 0, minimum_angular_damping = 0;
  std::optional<double> maximum_damping, maximum_angular_damping;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(field(&SemiActiveDamper::signal, "signal", "-", any(), "controller or signal that sets the damping"),
               field(&SemiActiveDamper::damping, "damping", "N.s/m", at_least(0.0), "viscous rate without signal"),
               field(&SemiActiveDamper::minimum_damping, "minimum_damping", "N.s/m", at_least(0.0), "least rate"),
               field(&SemiActiveDamper::maximum_damping, "maximum_damping", "N.s/m", at_least(0.0),
                     "largest rate; default: none"),
               field(&SemiActiveDamper::angular_damping, "angular_damping", "N.m.s/rad", at_least(0.0), "for angles"),
               field(&SemiActiveDamper::minimum_angular_damping, "minimum_angular_damping", "N.m.s/rad", at_least(0.0),
                     "for angles"),
               field(&SemiActiveDamper::maximum_angular_damping, "maximum_angular_damping", "N.m.s/rad", at_least(0.0),
                     "for angles")));
  static constexpr const char* summary =
      "damper whose rate a controller sets, between two points or on a joint coordinate";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
