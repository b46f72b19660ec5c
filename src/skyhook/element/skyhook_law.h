// What skyhook and groundhook share: a damper that can only take energy out should act like one between a mass and a point at
// rest.
#pragma once
#include "skyhook/element/controller_fields.h"

namespace skyhook::element {

struct SkyhookFields : ControllerFields {
  model::Output damper_velocity;
  double gain = 0, minimum_damping = 0, maximum_damping = 0;
  std::string variant = "continuous";

  static constexpr auto fields = std::tuple_cat(
      ControllerFields::fields,
      describe(
          field(&SkyhookFields::damper_velocity, "damper_velocity", "-", any(),
                "channel: rate at which the damper grows longer, body minus wheel")
              .required(),
          field(&SkyhookFields::gain, "gain", "N.s/m", at_least(0.0), "damping to a point at rest that is aimed at"),
          field(&SkyhookFields::minimum_damping, "minimum_damping", "N.s/m", at_least(0.0), "least damping"),
          field(&SkyhookFields::maximum_damping, "maximum_damping", "N.s/m", at_least(0.0), "largest damping")
              .required(),
          field(&SkyhookFields::variant, "variant", "-", any(), "any damping in between, or one of the two")
              .one_of("continuous on_off")));
};

// The damping c for which -c damper_velocity is nearest to -gain velocity: `velocity` is that of the mass, `side` 1 for the body,
// on which the damper acts with -c damper_velocity, and -1 for the wheel, which gets the opposite.
void add_skyhook(const SkyhookFields& fields, const model::Output& velocity, double side,
                 const model::FieldSource& source, model::Model& model);

}  // namespace skyhook::element
