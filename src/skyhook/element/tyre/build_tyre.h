// From the fields that tyres share to a wheel on its road.
#pragma once
#include "skyhook/element/finding.h"
#include "skyhook/element/tyre/tyre_fields.h"
#include "skyhook/element/tyre/tyre_law.h"

namespace skyhook::element::tyre {

// Largest force over stiffness of slip bounds how far the contact patch is displaced; 0: there is no largest.
struct SlidingLimits {
  double x = 0, y = 0;
};

// Over the radius, for the limits at a usual load; any load does.
constexpr double usual_deflection = 0.06;

inline Relaxation relaxation_of(const TyreFields& of, const SlidingLimits& limits) {
  return {limits.x > 0.0 ? 1.0 / limits.x : 0.0, limits.y > 0.0 ? 1.0 / limits.y : 0.0, of.standstill_damping,
          of.low_speed};
}

template <class Law>
Wheel<Law> wheel_of(const TyreFields& of, const model::FieldSource& source, const model::Model& model, Law law,
                    const SlidingLimits& limits) {
  return {.law = std::move(law),
          .vertical = {},
          .rolling = {},
          .relaxation = relaxation_of(of, limits),
          .road = {Road(of, of.named(model), source)},
          .spins = of.spin == "wheel",
          .is_vertical = of.normal == "vertical",
          .convention = convention_of(of.convention)};
}

void check_lengths(const PlainTyreFields& of, bool needs_x, const model::FieldSource& source);

template <class Law>
void add_plain_tyre(const PlainTyreFields& of, Law law, const SlidingLimits& limits, const model::FieldSource& source,
                    model::Model& model) {
  const Pair pair = of.place(source, model);
  check_lengths(of, Law::drives && of.spin == "wheel", source);
  Wheel<Law> wheel = wheel_of(of, source, model, std::move(law), limits);
  wheel.vertical = {.radius = of.radius, .stiffness = of.stiffness, .damping = of.damping};
  wheel.rolling = {.radius = of.rolling_radius.value_or(of.radius), .share = of.rolling_radius ? 0.0 : 1.0 / 3.0};
  // Where no longitudinal slip is counted its length does not matter, but is divided by.
  wheel.lengths = {of.relaxation_x > 0.0 ? of.relaxation_x : of.relaxation_y, of.relaxation_y};
  wheel.usual_load = of.stiffness * usual_deflection * of.radius;
  model.contributions.push_back(contribution(pair, source, std::make_shared<TyreLaw<Law>>(std::move(wheel))));
}

}  // namespace skyhook::element::tyre
