// Tyre with forces proportional to slip.
#pragma once
#include "skyhook/element/tyre/tyre_fields.h"

namespace skyhook::element {

struct TyreLinear : PlainTyreFields {
  double slip_stiffness = 0, cornering_stiffness = 0, camber_stiffness = 0, trail = 0;
  std::optional<double> friction;

  static constexpr auto fields = std::tuple_cat(
      PlainTyreFields::fields,
      describe(
          field(&TyreLinear::slip_stiffness, "slip_stiffness", "N", at_least(0.0), "longitudinal force over slip"),
          field(&TyreLinear::cornering_stiffness, "cornering_stiffness", "N/rad", at_least(0.0),
                "lateral force over slip angle")
              .required(),
          field(&TyreLinear::camber_stiffness, "camber_stiffness", "N/rad", at_least(0.0), "lateral force over camber"),
          field(&TyreLinear::trail, "trail", "m", at_least(0.0), "of the lateral force behind the contact point"),
          field(&TyreLinear::friction, "friction", "-", positive(),
                "forces bend towards this times the load; without it nothing limits them")));
  static constexpr const char* summary = "tyre on a road, forces proportional to slip";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
