// What all tyres on a road have in common: wheel, road, how the wheel turns, which axes its channels have.
#pragma once
#include "skyhook/element/road.h"
#include "skyhook/element/tyre/relaxation.h"

namespace skyhook::element {

struct TyreFields : OnRoadFields, RoadFields {
  std::string spin = "wheel", normal = "road", convention = "iso";
  double low_speed = 1, standstill_damping = 0.005;

  static constexpr auto fields = std::tuple_cat(
      OnRoadFields::fields,
      describe(
          field(&TyreFields::spin, "spin", "-", any(),
                "wheel: `to` turns about its y axis, which points to the left; free: `to` does not turn, the wheel "
                "on it rolls without longitudinal slip")
              .one_of("wheel free"),
          field(&TyreFields::normal, "normal", "-", any(),
                "direction of the load: normal to the road, or vertical (z of `from`), on slopes too")
              .one_of("road vertical"),
          field(&TyreFields::convention, "convention", "-", any(), "axes and signs of its channels")
              .one_of("iso tydex_c tydex_h sae"),
          field(&TyreFields::low_speed, "low_speed", "m/s", positive(),
                "with relaxation: below it `standstill_damping` acts; without: below it slip is made smooth"),
          field(&TyreFields::standstill_damping, "standstill_damping", "s", at_least(0.0),
                "damping over stiffness of the contact patch of a wheel that stands")),
      RoadFields::fields);
};

// Of tyres whose spring is a number.
struct PlainTyreFields : TyreFields {
  double radius = 1, stiffness = 1, damping = 0;
  std::optional<double> rolling_radius;
  double relaxation_x = 0, relaxation_y = 0;

  static constexpr auto fields = std::tuple_cat(
      TyreFields::fields,
      describe(field(&PlainTyreFields::radius, "radius", "m", positive(), "of the tyre without load").required(),
               field(&PlainTyreFields::stiffness, "stiffness", "N/m", positive(), "vertical").required(),
               field(&PlainTyreFields::damping, "damping", "N.s/m", at_least(0.0), "vertical"),
               field(&PlainTyreFields::rolling_radius, "rolling_radius", "m", positive(),
                     "way per angle of a free wheel; default: radius less a third of the deflection"),
               field(&PlainTyreFields::relaxation_x, "relaxation_x", "m", at_least(0.0),
                     "relaxation length of longitudinal slip; 0: slip follows at once"),
               field(&PlainTyreFields::relaxation_y, "relaxation_y", "m", at_least(0.0), "of lateral slip")));
};

}  // namespace skyhook::element
