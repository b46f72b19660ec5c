// Lateral tyre of Calspan, as of the IAVSD road vehicle benchmark.
#pragma once
#include "skyhook/element/tyre/tyre_fields.h"

namespace skyhook::element {

struct TyreCalspan : PlainTyreFields {
  double a0 = 0, a1 = 0, a2 = 1, a3 = 0, a4 = 1, a_omega = 1;
  double b1 = 0, b3 = 1, b4 = 0, friction_ratio = 1;
  double af1 = 0, af2 = 0;

  static constexpr auto fields = std::tuple_cat(
      PlainTyreFields::fields,
      describe(field(&TyreCalspan::a0, "a0", "N/rad", at_least(0.0), "A0: cornering stiffness without load").required(),
               field(&TyreCalspan::a1, "a1", "1/rad", any(), "A1: its slope over the load").required(),
               field(&TyreCalspan::a2, "a2", "N", positive(), "A2: its parabola is back at A0 at this load").required(),
               field(&TyreCalspan::a3, "a3", "1/rad", any(), "A3: slope of the camber stiffness over the load"),
               field(&TyreCalspan::a4, "a4", "N", positive(), "A4: load without camber stiffness"),
               field(&TyreCalspan::a_omega, "a_omega", "-", positive(),
                     "A_Omega: the stiffnesses stay as they are from the load A_Omega A2 on"),
               field(&TyreCalspan::b1, "b1", "1/N", any(), "B1: friction is (B1 Fz + B3 + B4 Fz^2) times the ratio"),
               field(&TyreCalspan::b3, "b3", "-", positive(), "B3: friction at no load").required(),
               field(&TyreCalspan::b4, "b4", "1/N^2", any(), "B4: its curvature over the load"),
               field(&TyreCalspan::friction_ratio, "friction_ratio", "-", positive(),
                     "SN: friction of the road over that of the test road"),
               field(&TyreCalspan::af1, "af1", "m/N", any(), "AF1: aligning moment (AF1 Fz + AF2 |Fy|) Fy"),
               field(&TyreCalspan::af2, "af2", "m/N", any(), "AF2: see AF1")));
  static constexpr const char* summary = "tyre on a road, lateral force by Calspan's formula, no longitudinal force";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
