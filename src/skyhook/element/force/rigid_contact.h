// Rigid contact of a point or a sphere with a plane, a profile or another sphere: closed or open, with restitution.
#pragma once
#include "skyhook/element/road.h"

namespace skyhook::element {

struct RigidContact : OnRoadFields {
  std::string with = "plane";
  double radius = 0, other_radius = 0;
  std::optional<model::Curve> profile;
  double restitution = 0;

  static constexpr auto fields = std::tuple_cat(
      OnRoadFields::fields,
      describe(field(&RigidContact::with, "with", "-", any(),
                     "what is there: the plane z = 0 of `from`, a profile, a sphere, or a road by name")
                   .one_of("plane sphere profile road")
                   .in_axes_of_from(),
               field(&RigidContact::radius, "radius", "m", at_least(0.0), "of the sphere at `to`; 0: a point"),
               field(&RigidContact::other_radius, "other_radius", "m", at_least(0.0), "with sphere: of that at `from`"),
               field(&RigidContact::profile, "profile", "m", any(), "with profile: height z over x, in axes of `from`")
                   .mirrored(Mirror::z)
                   .in_axes_of_from()
                   .over("x:m", "x:x"),
               field(&RigidContact::restitution, "restitution", "-", between(0.0, 1.0),
                     "speed after an impact per speed before; 0: no rebound, 1: no loss")));
  static constexpr const char* summary = "rigid contact of a point or sphere with a plane, a profile or a sphere";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
