// A torque given by formulas: by its components between two frames, or on a turning joint coordinate.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct Torque : LineOrJointFields {
  std::optional<model::Formula> x, y, z, value;

  static constexpr const char* variables = "t:s wx:rad/s wy:rad/s wz:rad/s";
  static constexpr const char* odd_variables = "wx:yz wy:xz wz:xy";
  static constexpr auto fields = std::tuple_cat(
      LineOrJointFields::fields,
      describe(field(&Torque::x, "x", "N.m", any(), "on `to`, about x of `from`")
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
               field(&Torque::value, "value", "N.m", any(), "with `joint`: on its angle, positive drives it up")
                   .mirrored(Mirror::coordinate)
                   .over("t:s q:rad qd:rad/s", "q:q qd:q")));
  static constexpr const char* summary = "torque by formulas, between two frames or on a turning joint";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
