// A slider: `to` moves relative to `from` along one axis.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct Prismatic : JointFields {
  Vec3d axis{0, 0, 1};
  std::optional<double> displacement, rate;
  double reference = 0;
  std::optional<model::Motion> drive;

  static constexpr auto fields = std::tuple_cat(
      JointFields::fields,
      describe(field(&Prismatic::axis, "axis", "-", any(), "x, y, z or a vector, global").mirrored(Mirror::polar),
               field(&Prismatic::displacement, "displacement", "m", any(), "initial value"),
               field(&Prismatic::rate, "rate", "m/s", any(), "initial rate"),
               field(&Prismatic::reference, "reference", "m", any(), "what the displacement is called at design"),
               field(&Prismatic::drive, "drive", "m", any(), "displacement over time").over("t:s")));
  static constexpr const char* summary = "slider: translation along one axis";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
