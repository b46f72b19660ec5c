// A torque given by formulas: by its components between two frames, or on the angle about an axis or of a joint.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct Torque : LineOrJointFields {
  std::optional<model::Formula> x, y, z, value;
  model::SignalRef signal;

  static constexpr const char* variables = "t:s wx:rad/s wy:rad/s wz:rad/s";
  static constexpr const char* odd_variables = "wx:yz wy:xz wz:xy";
  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(
          field(&Torque::x, "x", "N.m", any(), "on `to`, about x of `from`")
              .mirrored(Mirror::yz)
              .in_axes_of_from()
              .over(variables, odd_variables),
          field(&Torque::y, "y", "N.m", any(), "on `to`, about y of `from`")
              .mirrored(Mirror::xz)
              .in_axes_of_from()
              .over(variables, odd_variables),
          field(&Torque::z, "z", "N.m", any(), "on `to`, about z of `from`")
              .mirrored(Mirror::xy)
              .in_axes_of_from()
              .over(variables, odd_variables),
          field(&Torque::value, "value", "N.m", any(), "with `joint` or `about`: on its angle q, positive drives it up")
              .mirrored(Mirror::coordinate)
              .over("t:s q:rad qd:rad/s signal:-", "q:q qd:q"),
          field(&Torque::signal, "signal", "-", any(),
                "controller or signal whose value, a plain number, is `signal` in `value`")));
  static constexpr const char* summary = "torque by formulas, between two frames, about an axis or on a turning joint";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
