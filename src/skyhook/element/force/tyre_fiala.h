// Tyre of Fiala: a brush with a parabola of pressure.
#pragma once
#include "skyhook/element/tyre/tyre_fields.h"

namespace skyhook::element {

struct TyreFiala : PlainTyreFields {
  double slip_stiffness = 1, cornering_stiffness = 1, camber_stiffness = 0, friction = 1, trail = 0,
         rolling_resistance = 0;
  std::optional<double> friction_far;

  static constexpr auto fields = std::tuple_cat(
      PlainTyreFields::fields,
      describe(
          field(&TyreFiala::slip_stiffness, "slip_stiffness", "N", positive(), "longitudinal force over small slip")
              .required(),
          field(&TyreFiala::cornering_stiffness, "cornering_stiffness", "N/rad", positive(),
                "lateral force over small slip angles")
              .required(),
          field(&TyreFiala::camber_stiffness, "camber_stiffness", "N/rad", at_least(0.0),
                "lateral force over small camber"),
          field(&TyreFiala::friction, "friction", "-", positive(), "at no slip").required(),
          field(&TyreFiala::friction_far, "friction_far", "-", positive(),
                "at a slip of 1 and beyond, straight in between; default: the same"),
          field(&TyreFiala::trail, "trail", "m", at_least(0.0), "of the lateral force at small slip"),
          field(&TyreFiala::rolling_resistance, "rolling_resistance", "m", at_least(0.0),
                "moment against rolling over the load")));
  static constexpr const char* summary = "tyre on a road, Fiala's brush";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
