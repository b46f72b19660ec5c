// The mass of a track that moves under a wheel and travels along with it: a mass on a spring and a damper, with a coordinate of its own.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct TrackMass : PairFields {
  double mass = 0, stiffness = 0, damping = 0, radius = 0;
  std::optional<double> contact_stiffness, contact_depth, contact_exponent, contact_damping;
  std::optional<double> deflection, deflection_rate;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(field(&TrackMass::mass, "mass", "kg", positive(), "of the track that moves with the wheel").required(),
               field(&TrackMass::stiffness, "stiffness", "N/m", positive(), "of the bed below the mass").required(),
               field(&TrackMass::damping, "damping", "N.s/m", at_least(0.0), "of the bed"),
               field(&TrackMass::radius, "radius", "m", at_least(0.0),
                     "of the wheel: height of `to` above the mass; 0: the point itself"),
               field(&TrackMass::contact_stiffness, "contact_stiffness", "N/m", positive(),
                     "between wheel and mass, which may part; default: the wheel is held on the mass"),
               field(&TrackMass::contact_depth, "contact_depth", "m", positive(),
                     "compression at which `contact_stiffness` holds; default: 0.1 mm"),
               field(&TrackMass::contact_exponent, "contact_exponent", "-", between(1.0, 10.0),
                     "power of the compression in the force; default: 1, a linear spring; 1.5: Hertz"),
               field(&TrackMass::contact_damping, "contact_damping", "s/m", at_least(0.0),
                     "relative rise of the contact force per speed of compression; default: 0"),
               field(&TrackMass::deflection, "deflection", "m", any(), "initial, up; default: 0, the unloaded track"),
               field(&TrackMass::deflection_rate, "deflection_rate", "m/s", any(), "initial; default: 0")));
  static constexpr const char* summary = "mass of a track that moves under a wheel and travels along with it";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
