// Bump and rebound stops: one-sided elastic stops along a line or on a joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct BumpStop : LineOrJointFields {
  std::optional<double> engage_length, engage_length_max, engage_angle, engage_angle_max;
  double stiffness = 0, depth = 0.01, damping = 0;
  double angular_stiffness = 0, angular_depth = 0.01, angular_damping = 0;
  double exponent = 1.5;
  bool events = false;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(
          field(&BumpStop::engage_length, "engage_length", "m", any(), "the bump stop touches below this length")
              .with_other_stop("engage_length_max"),
          field(&BumpStop::engage_length_max, "engage_length_max", "m", any(), "the rebound stop touches above it")
              .with_other_stop("engage_length"),
          field(&BumpStop::stiffness, "stiffness", "N/m", at_least(0.0), "force at `depth`, divided by depth"),
          field(&BumpStop::depth, "depth", "m", positive(), "compression at which `stiffness` holds"),
          field(&BumpStop::exponent, "exponent", "-", between(1.0, 10.0), "power of the compression in the force"),
          field(&BumpStop::damping, "damping", "s/m", at_least(0.0), "relative rise of force per speed of compression"),
          field(&BumpStop::engage_angle, "engage_angle", "rad", any(), "for angles: touches below this angle")
              .with_other_stop("engage_angle_max"),
          field(&BumpStop::engage_angle_max, "engage_angle_max", "rad", any(), "for angles: touches above this angle")
              .with_other_stop("engage_angle"),
          field(&BumpStop::angular_stiffness, "angular_stiffness", "N.m/rad", at_least(0.0),
                "for angles: moment at `angular_depth`, divided by it"),
          field(&BumpStop::angular_depth, "angular_depth", "rad", positive(), "compression at which that holds"),
          field(&BumpStop::angular_damping, "angular_damping", "s/rad", at_least(0.0),
                "relative rise of moment per speed of compression"),
          field(&BumpStop::events, "events", "-", any(), "on: a run has an event where a stop touches and leaves")));
  static constexpr const char* summary = "one-sided stops, between two points or on a joint coordinate";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
