// Vertical spring and damper of a tyre on a road, with loss of contact.
#pragma once
#include "skyhook/element/road.h"

namespace skyhook::element {

struct TyreVertical : OnRoadFields, RoadFields {
  double stiffness = 1, damping = 0;
  std::optional<double> radius, load;

  static constexpr auto fields =
      std::tuple_cat(OnRoadFields::fields,
                     describe(field(&TyreVertical::stiffness, "stiffness", "N/m", positive(), "of the tyre").required(),
                              field(&TyreVertical::damping, "damping", "N.s/m", at_least(0.0), "of the tyre"),
                              field(&TyreVertical::radius, "radius", "m", positive(),
                                    "unloaded; the road's height counts from the origin of `from`, along its z"),
                              field(&TyreVertical::load, "load", "N", at_least(0.0),
                                    "in place of radius: force at the design position on a road of height 0")),
                     RoadFields::fields);
  static constexpr const char* summary = "vertical tyre: pushes the wheel `to` up from the road below, `from`";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
