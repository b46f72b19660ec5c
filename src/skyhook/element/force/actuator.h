// A scalar force that a formula, a table or a controller commands, along a line or on a joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct Actuator : LineOrJointFields {
  model::SignalRef signal;
  std::optional<model::Formula> force, moment;
  std::optional<model::Motion> table, moment_table;
  std::optional<double> limit, moment_limit;

  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(field(&Actuator::force, "force", "N", any(), "formula; x length, v its rate; positive pushes apart")
                   .mirrored(Mirror::coordinate)
                   .over("t:s x:m v:m/s", "x:q v:q"),
               field(&Actuator::table, "table", "N", any(), "force over time, instead of the formula")
                   .mirrored(Mirror::coordinate)
                   .over("t:s"),
               field(&Actuator::signal, "signal", "-", any(),
                     "controller or signal that sets the force, or for angles the moment, instead of the formula"),
               field(&Actuator::limit, "limit", "N", at_least(0.0), "the force stays within +-limit; default: none"),
               field(&Actuator::moment, "moment", "N.m", any(), "for angles: formula; positive drives the angle up")
                   .mirrored(Mirror::coordinate)
                   .over("t:s x:rad v:rad/s", "x:q v:q"),
               field(&Actuator::moment_table, "moment_table", "N.m", any(), "for angles: moment over time")
                   .mirrored(Mirror::coordinate)
                   .over("t:s"),
               field(&Actuator::moment_limit, "moment_limit", "N.m", at_least(0.0), "for angles: as limit")));
  static constexpr const char* summary = "commanded force, between two points or on a joint coordinate";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
