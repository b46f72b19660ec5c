// An air spring: gas in a bag whose volume follows its length, and in a tank behind an orifice if there is one.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct AirSpring : LineOrJointFields {
  std::optional<model::Curve> area;
  double volume = 0, exponent = 1.3, ambient = 101325;
  std::optional<double> pressure, load, working_length;
  double tank_volume = 0, orifice = 0, damping = 0;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(field(&AirSpring::area, "area", "m^2", any(), "effective area, over the deflection from working_length")
                   .over("x:m"),
               field(&AirSpring::volume, "volume", "m^3", positive(), "of the bag at working_length").required(),
               field(&AirSpring::working_length, "working_length", "m", any(),
                     "length at which `volume` and the pressure hold; default: that at design"),
               field(&AirSpring::pressure, "pressure", "Pa", positive(), "absolute, at working_length"),
               field(&AirSpring::load, "load", "N", at_least(0.0), "that it carries there, instead of the pressure"),
               field(&AirSpring::exponent, "exponent", "-", between(1.01, 1.67), "polytropic exponent of the gas"),
               field(&AirSpring::ambient, "ambient", "Pa", at_least(0.0), "absolute pressure outside"),
               field(&AirSpring::tank_volume, "tank_volume", "m^3", at_least(0.0), "of a tank; default: none"),
               field(&AirSpring::orifice, "orifice", "m^3/(s.Pa)", at_least(0.0),
                     "flow to the tank over the difference of pressures"),
               field(&AirSpring::damping, "damping", "N.s/m", at_least(0.0), "viscous rate of the bag")));
  static constexpr const char* summary = "air spring with area over length, and a tank behind an orifice";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
