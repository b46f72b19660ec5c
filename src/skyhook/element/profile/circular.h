// The head of a rail as one circle.
#pragma once
#include "skyhook/element/profile_kind.h"

namespace skyhook::element {

struct CircularProfile : ProfileKind {
  double radius = 0.3, slope = 0, width = 0.07;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&CircularProfile::radius, "radius", "m", positive(), "of the head").required(),
                              field(&CircularProfile::slope, "slope", "-", between(-1.0, 1.0),
                                    "of the tangent at y = 0: that of a cone which touches there"),
                              field(&CircularProfile::width, "width", "m", between(5e-3, 1.0),
                                    "of the head, to both sides of y = 0 alike")),
                     ProfileKind::fields);
  static constexpr const char* summary = "the head of a rail as a circle";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
