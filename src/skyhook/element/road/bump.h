// A cosine bump.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Bump : RoadKind {
  double height = 0, length = 1, at = 0;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&Bump::height, "height", "m", any(), "of its top; negative: a hollow").required(),
                              field(&Bump::length, "length", "m", positive(), "from its begin to its end").required(),
                              field(&Bump::at, "at", "m", any(), "x where it begins")),
                     RoadKind::fields);
  static constexpr const char* summary = "a cosine bump";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
