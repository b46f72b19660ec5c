// A wheel on a rail of a track: how they touch and how they creep, each chosen by a word.
#pragma once
#include "skyhook/element/pair_fields.h"
#include "skyhook/element/rail/creep_law.h"

namespace skyhook::element {

struct WheelRail {
  model::TrackRef track;
  model::Marker to;
  std::string side, wheel, contact = "hertz", creep = "fastsim", creepages = "exact", flexibilities = "blended";
  double radius = 1, flange_back = 1.360, tape_circle = 0.070;
  std::optional<double> half, rail_half;
  double friction = 0.3, friction_far = 1, friction_decay = 0;
  double shear_modulus = 82e9, poisson = 0.28, damping = 5;
  double adhesion = 1, slip = 1;
  std::vector<double> slices, coefficients;
  std::optional<double> track_mass;
  std::vector<double> track_stiffness, track_damping;
  int variables = 1;
  double low_speed = 0.01, smoothing = 5e-6, static_load = 0;
  double along = 1, across = 1;

  static constexpr auto fields = describe(
      field(&WheelRail::track, "track", "-", any(), "a track under `tracks`, by its name: rails, gauge, line")
          .required(),
      field(&WheelRail::to, "to", "-", any(),
            "marker or body of the wheel: its origin is on the axle, its y axis along the axle to the left")
          .required(),
      field(&WheelRail::side, "side", "-", any(), "which rail").one_of("left right").required(),
      field(&WheelRail::wheel, "wheel", "-", any(), "profile of the wheel: one of `profiles`, or s1002, ...")
          .required(),
      field(&WheelRail::radius, "radius", "m", positive(), "of the tape circle").required(),
      field(&WheelRail::flange_back, "flange_back", "m", positive(),
            "distance of the backs of the flanges of a wheelset"),
      field(&WheelRail::tape_circle, "tape_circle", "m", at_least(0.0), "from the flange's back to the tape circle"),
      field(&WheelRail::half, "half", "m", at_least(0.0),
            "from `to` along the axle to the tape circle; default: flange_back/2 + tape_circle, as of a wheelset's "
            "middle; 0 of a wheel's "
            "own centre"),
      field(&WheelRail::rail_half, "rail_half", "m", positive(),
            "from the middle of the track to the origin of the rail's profile; default: as the gauge has it"),
      field(&WheelRail::contact, "contact", "-", any(),
            "hertz: one elastic patch; multi_hertz: one at each place where they touch; rigid: a constraint; "
            "quasi_elastic: the same, "
            "smoothed")
          .one_of("rigid quasi_elastic hertz multi_hertz"),
      field(&WheelRail::creep, "creep", "-", any(), "law of the tangential forces; none: without friction")
          .one_of("none kalker she polach fastsim fastsim_table tanh"),
      field(&WheelRail::creepages, "creepages", "-", any(),
            "of rigid and quasi_elastic: as they are, or as the IVP test set has them")
          .one_of("exact simplified"),
      field(&WheelRail::friction, "friction", "-", at_least(0.0), "coefficient"),
      field(&WheelRail::friction_far, "friction_far", "-", between(0.0, 1.0),
            "share of it that is left where it slides fast"),
      field(&WheelRail::friction_decay, "friction_decay", "s/m", at_least(0.0),
            "how soon it falls with the speed of sliding; 0: it does not"),
      field(&WheelRail::shear_modulus, "shear_modulus", "Pa", positive(), "of wheel and rail"),
      field(&WheelRail::poisson, "poisson", "-", between(0.0, 0.5), "Poisson's ratio of both"),
      field(&WheelRail::damping, "damping", "s/m", at_least(0.0),
            "of elastic contact: the normal force grows by this share per m/s of approach"),
      field(&WheelRail::adhesion, "adhesion", "-", between(0.0, 1.0),
            "of polach: k_A, how much of the stiffness of sticking is left"),
      field(&WheelRail::slip, "slip", "-", between(0.0, 1.0),
            "of polach: k_S, of that of sliding; no more than `adhesion`"),
      field(&WheelRail::slices, "slices", "-", between(4.0, 400.0), "of fastsim: [across, along]; default [24, 16]"),
      field(&WheelRail::flexibilities, "flexibilities", "-", any(),
            "of fastsim: 3, 1 mean of them, or blended: 3 at small creep, 1 where all slides")
          .one_of("blended 3 1"),
      field(&WheelRail::coefficients, "coefficients", "-", positive(), "[C11, C22, C23] in place of Kalker's table"),
      field(&WheelRail::track_mass, "track_mass", "kg", at_least(0.0),
            "of the track that gives way under the wheel and travels along; 0, as without it: the track is fixed, "
            "whatever its bed is; hertz and multi_hertz"),
      field(&WheelRail::track_stiffness, "track_stiffness", "N/m", positive(), "of its bed: [across, up]"),
      field(&WheelRail::track_damping, "track_damping", "N.s/m", at_least(0.0),
            "of its bed: [across, up]; default: none"),
      field(&WheelRail::low_speed, "low_speed", "m/s", positive(), "creepages are over a speed that is not less"),
      field(&WheelRail::smoothing, "smoothing", "m", positive(), "of quasi_elastic: nu"),
      field(&WheelRail::static_load, "static_load", "N", at_least(0.0),
            "Q0 of the wheel, for the channel `unloading` = 1 - Q/Q0; 0: there is none"),
      field(&WheelRail::variables, "variables", "-", between(1.0, 2.0), "of rigid: contact variables of the wheel"),
      field(&WheelRail::along, "along", "-", between(-1.0, 1.0), "-1 in a part that is mirrored at x, which is refused")
          .mirrored(Mirror::x),
      field(&WheelRail::across, "across", "-", between(-1.0, 1.0), "-1 in a part that is mirrored at y: the other rail")
          .mirrored(Mirror::y));
  static constexpr const char* summary = "wheel on a rail: rigid or elastic contact, creep forces";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
