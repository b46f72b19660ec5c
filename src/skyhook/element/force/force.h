// A force given by formulas: by its components between two frames, or on a sliding joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct Force : LineOrJointFields {
  std::optional<model::Formula> x, y, z, value;
  model::SignalRef signal;
  std::string axes = "from";

  static constexpr const char* variables = "t:s x:m y:m z:m vx:m/s vy:m/s vz:m/s";
  static constexpr const char* odd_variables = "x:x y:y z:z vx:x vy:y vz:z";
  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(
          field(&Force::x, "x", "N", any(), "on `to`, along x of `axes`")
              .mirrored(Mirror::x)
              .in_axes_of_from()
              .over(variables, odd_variables),
          field(&Force::y, "y", "N", any(), "on `to`, along y of `axes`")
              .mirrored(Mirror::y)
              .in_axes_of_from()
              .over(variables, odd_variables),
          field(&Force::z, "z", "N", any(), "on `to`, along z of `axes`")
              .mirrored(Mirror::z)
              .in_axes_of_from()
              .over(variables, odd_variables),
          field(&Force::axes, "axes", "-", any(),
                "whose axes x, y, z and the variables are along: of `from`, or of `to`, with which the force turns")
              .one_of("from to"),
          field(&Force::value, "value", "N", any(), "with `joint`: on its displacement, positive drives it up")
              .mirrored(Mirror::coordinate)
              .over("t:s q:m qd:m/s signal:-", "q:q qd:q"),
          field(&Force::signal, "signal", "-", any(),
                "controller or signal whose value, a plain number, is `signal` in `value`")));
  static constexpr const char* summary = "force by formulas, between two frames or on a sliding joint";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
