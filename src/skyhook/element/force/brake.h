// A brake on a turning joint: pressure over time or by a controller, sliding against the motion, real sticking at standstill.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct Brake {
  model::CoordinateRef joint;
  std::optional<model::Motion> pressure;
  model::SignalRef signal;
  double torque_per_pressure = 0;
  double hold_ratio = 1;

  static constexpr auto fields = describe(
      field(&Brake::joint, "joint", "-", any(), "turning joint coordinate: hub or hub.angle").required(),
      field(&Brake::pressure, "pressure", "Pa", any(), "over time").over("t:s"),
      field(&Brake::signal, "signal", "-", any(), "controller or signal that sets the pressure, instead"),
      field(&Brake::torque_per_pressure, "torque_per_pressure", "N.m/Pa", positive(), "where it slips").required(),
      field(&Brake::hold_ratio, "hold_ratio", "-", at_least(1.0),
            "largest torque where it sticks over the one where it slips"));
  static constexpr const char* summary = "brake with pressure on a turning joint, with real sticking";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
