// An actuator that follows its command with a lag of first order, along a line or on a joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct LagActuator : LineOrJointFields {
  model::SignalRef signal;
  std::optional<model::Formula> force, moment;
  std::optional<double> limit, moment_limit;
  double time_constant = 0.01;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(field(&LagActuator::time_constant, "time_constant", "s", positive(), "of its lag").required(),
               field(&LagActuator::force, "force", "N", any(),
                     "command: formula; x length, v its rate; positive pushes apart")
                   .mirrored(Mirror::coordinate)
                   .over("t:s x:m v:m/s", "x:q v:q"),
               field(&LagActuator::signal, "signal", "-", any(),
                     "controller or signal that sets the force, or for angles the moment, instead of the formula"),
               field(&LagActuator::limit, "limit", "N", positive(), "the command stays within +-limit; default: none"),
               field(&LagActuator::moment, "moment", "N.m", any(), "for angles: command; positive drives the angle up")
                   .mirrored(Mirror::coordinate)
                   .over("t:s x:rad v:rad/s", "x:q v:q"),
               field(&LagActuator::moment_limit, "moment_limit", "N.m", positive(), "for angles: as limit")));
  static constexpr const char* summary =
      "commanded force that follows with a lag, between two points or on a coordinate";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
