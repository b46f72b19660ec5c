// A road of height 0.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Flat : RoadKind {
  static constexpr auto fields = RoadKind::fields;
  static constexpr const char* summary = "a plane, or the sum of other roads";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
