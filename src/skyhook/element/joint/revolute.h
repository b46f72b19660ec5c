// A hinge: `to` turns relative to `from` about one axis.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct Revolute : JointFields {
  Vec3d axis{0, 0, 1};
  std::optional<double> angle, rate;
  double reference = 0, lever = 1;
  std::optional<model::Motion> drive;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(field(&Revolute::axis, "axis", "-", any(), "x, y, z or a vector, global; right-hand rule")
                   .mirrored(Mirror::axial),
               field(&Revolute::angle, "angle", "rad", any(), "initial value"),
               field(&Revolute::rate, "rate", "rad/s", any(), "initial rate"),
               field(&Revolute::reference, "reference", "rad", any(), "what the angle is called at design"),
               field(&Revolute::lever, "lever", "m", between(1e-2, 1e2),
                     "longest of what turns: the tolerance holds for the way of its end"),
               field(&Revolute::drive, "drive", "rad", any(), "angle over time").over("t:s")));
  static constexpr const char* summary = "hinge: rotation about one axis";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
