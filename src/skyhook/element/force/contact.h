// Smooth contact of a point or sphere with a plane or profile, with friction.
#pragma once
#include "skyhook/element/road.h"

namespace skyhook::element {

struct Contact : OnRoadFields {
  double radius = 0;
  std::optional<model::Curve> profile;
  double stiffness = 1, depth = 0.001, exponent = 1.5, damping = 0;
  std::optional<double> restitution;
  double impact_speed = 1, friction = 0, slip_speed = 0.01;
  bool events = false;

  static constexpr auto fields = std::tuple_cat(
      OnRoadFields::fields,
      describe(
          field(&Contact::radius, "radius", "m", at_least(0.0), "of a sphere about the point of `to`; 0: the point"),
          field(&Contact::profile, "profile", "m", any(),
                "height of the ground over x of `from`; default: 0, the plane across z of `from`")
              .over("x:m", "x:x")
              .in_axes_of_from(),
          field(&Contact::stiffness, "stiffness", "N/m", positive(), "force at `depth`, divided by depth").required(),
          field(&Contact::depth, "depth", "m", positive(), "compression at which `stiffness` holds"),
          field(&Contact::exponent, "exponent", "-", between(1.0, 10.0),
                "power of the compression in the force; 1.5: Hertz"),
          field(&Contact::damping, "damping", "s/m", at_least(0.0), "relative rise of force per speed of compression"),
          field(&Contact::restitution, "restitution", "-", Range{.low = 0.0, .high = 1.0, .low_excluded = true},
                "in place of damping: speed after a free impact over speed before it"),
          field(&Contact::impact_speed, "impact_speed", "m/s", positive(), "at which the restitution holds"),
          field(&Contact::friction, "friction", "-", at_least(0.0), "coefficient"),
          field(&Contact::slip_speed, "slip_speed", "m/s", positive(),
                "of sliding, at which friction has 71 % of its force"),
          field(&Contact::events, "events", "-", any(),
                "on: a run has an event where it touches and where it leaves")));
  static constexpr const char* summary =
      "smooth contact of a point or sphere with a plane, profile or road, with friction";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
