// Two coordinates in a constant ratio: coordinate_1 = ratio * coordinate_2, counted from the design position.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct Gear {
  model::CoordinateRef joint_1, joint_2;
  double ratio = 1;

  static constexpr auto fields =
      describe(field(&Gear::joint_1, "joint_1", "-", any(), "joint coordinate: crank or crank.angle").required(),
               field(&Gear::joint_2, "joint_2", "-", any(), "joint coordinate of the same kind").required(),
               field(&Gear::ratio, "ratio", "-", any(), "joint_1 moves ratio times as far as joint_2")
                   .mirrored(Mirror::coordinates)
                   .required());
  static constexpr const char* summary = "gear: two joint coordinates in a constant ratio";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
