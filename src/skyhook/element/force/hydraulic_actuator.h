// A hydraulic cylinder with a servo valve.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct HydraulicActuator : PairFields {
  double piston_area = 1e-3, rod_area = 0;
  double push_volume = 1e-4, pull_volume = 1e-4;
  double valve_area = 1e-5, supply = 1e7, time_constant = 0.005, underlap = 0.01;
  double leakage = 0, modulus = 1.5e9, density = 870, discharge = 0.7, laminar = 1e4;
  model::SignalRef signal;
  std::optional<model::Formula> opening;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(
          field(&HydraulicActuator::piston_area, "piston_area", "m^2", positive(), "of the piston").required(),
          field(&HydraulicActuator::rod_area, "rod_area", "m^2", at_least(0.0), "of the rod; 0: it goes through"),
          field(&HydraulicActuator::push_volume, "push_volume", "m^3", positive(),
                "of oil in the chamber that pushes apart, with its lines, at design")
              .required(),
          field(&HydraulicActuator::pull_volume, "pull_volume", "m^3", positive(),
                "of oil in the chamber around the rod, with its lines, at design")
              .required(),
          field(&HydraulicActuator::valve_area, "valve_area", "m^2", positive(), "of an edge of the valve, fully open")
              .required(),
          field(&HydraulicActuator::supply, "supply", "Pa", positive(), "pressure of the pump; the tank has 0")
              .required(),
          field(&HydraulicActuator::opening, "opening", "-", any(),
                "command of the valve, -1 to 1: formula; x length, v its rate; positive pushes apart")
              .over("t:s x:m v:m/s"),
          field(&HydraulicActuator::signal, "signal", "-", any(),
                "controller or signal that sets the opening, instead of the formula"),
          field(&HydraulicActuator::time_constant, "time_constant", "s", positive(), "lag of the spool"),
          field(&HydraulicActuator::underlap, "underlap", "-", positive(),
                "of the spool in its middle, in full openings: what leaks there"),
          field(&HydraulicActuator::leakage, "leakage", "m^3/(s.Pa)", at_least(0.0), "past the piston"),
          field(&HydraulicActuator::modulus, "modulus", "Pa", positive(), "bulk modulus of the oil and its walls"),
          field(&HydraulicActuator::density, "density", "kg/m^3", positive(), "of the oil"),
          field(&HydraulicActuator::discharge, "discharge", "-", positive(), "coefficient of the valve"),
          field(&HydraulicActuator::laminar, "laminar", "Pa", positive(),
                "pressure drop below which flow is laminar")));
  static constexpr const char* summary = "hydraulic cylinder with a servo valve and compressible oil";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
