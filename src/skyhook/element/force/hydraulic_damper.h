// A damper of two oil chambers with valves in the piston and to a reservoir.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct HydraulicDamper : PairFields {
  double piston_area = 1e-3, rod_area = 0;
  double rebound_area = 1e-5, base_area = 0;
  std::optional<double> compression_area;
  double compression_volume = 1e-4, rebound_volume = 1e-4;
  double pressure = 0.5e6, modulus = 1.5e9, density = 870, discharge = 0.7, laminar = 1e4;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(
          field(&HydraulicDamper::piston_area, "piston_area", "m^2", positive(), "of the piston").required(),
          field(&HydraulicDamper::rod_area, "rod_area", "m^2", at_least(0.0), "of the rod; 0: it goes through"),
          field(&HydraulicDamper::rebound_area, "rebound_area", "m^2", positive(),
                "of the orifice in the piston, for flow in rebound")
              .required(),
          field(&HydraulicDamper::compression_area, "compression_area", "m^2", at_least(0.0),
                "the same in compression; default: as in rebound"),
          field(&HydraulicDamper::base_area, "base_area", "m^2", at_least(0.0),
                "of the orifice between compression chamber and reservoir; 0: closed"),
          field(&HydraulicDamper::compression_volume, "compression_volume", "m^3", positive(),
                "of the chamber that compression shortens, at design")
              .required(),
          field(&HydraulicDamper::rebound_volume, "rebound_volume", "m^3", positive(),
                "of the chamber around the rod, at design")
              .required(),
          field(&HydraulicDamper::pressure, "pressure", "Pa", at_least(0.0),
                "of the reservoir, and of all at the start; above that of the air"),
          field(&HydraulicDamper::modulus, "modulus", "Pa", positive(), "bulk modulus of the oil and its walls"),
          field(&HydraulicDamper::density, "density", "kg/m^3", positive(), "of the oil"),
          field(&HydraulicDamper::discharge, "discharge", "-", positive(), "coefficient of the orifices"),
          field(&HydraulicDamper::laminar, "laminar", "Pa", positive(), "pressure drop below which flow is laminar")));
  static constexpr const char* summary = "damper of two oil chambers, with valves and compressible oil";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
