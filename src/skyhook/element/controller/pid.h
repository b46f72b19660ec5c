// A PID controller with filtered derivative, limits and anti-windup.
#pragma once
#include "skyhook/element/controller_fields.h"

namespace skyhook::element {

struct Pid : ControllerFields, OutputUnitField {
  model::Output input, setpoint_input;
  std::optional<model::Formula> setpoint;
  double kp = 0, ki = 0, kd = 0, derivative_filter = 0;
  std::optional<double> lower, upper, tracking_time;
  std::string anti_windup = "clamping";

  static constexpr auto fields = std::tuple_cat(
      ControllerFields::fields,
      describe(
          field(&Pid::input, "input", "-", any(), "channel that should follow the setpoint, or a controller")
              .required(),
          field(&Pid::setpoint, "setpoint", model::any_unit, any(), "number or formula of t; default 0").over("t:s"),
          field(&Pid::setpoint_input, "setpoint_input", "-", any(), "channel or controller, instead of setpoint"),
          field(&Pid::kp, "kp", model::any_unit, any(), "gain of the error e = setpoint - input"),
          field(&Pid::ki, "ki", model::any_unit, any(), "gain of its integral"),
          field(&Pid::kd, "kd", model::any_unit, any(), "gain of its rate"),
          field(&Pid::derivative_filter, "derivative_filter", "s", at_least(0.0),
                "time constant of the low-pass that the rate goes through"),
          field(&Pid::lower, "lower", model::any_unit, any(), "least output; default: no limit"),
          field(&Pid::upper, "upper", model::any_unit, any(), "largest output; default: no limit"),
          field(&Pid::anti_windup, "anti_windup", "-", any(), "what the integral does while the output is limited")
              .one_of("clamping back_calculation none"),
          field(&Pid::tracking_time, "tracking_time", "s", positive(),
                "of back_calculation; default: kp/ki, but at least one sample time")),
      OutputUnitField::fields);
  static constexpr const char* summary = "PID controller with limits and anti-windup";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
