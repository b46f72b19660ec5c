// Cosine waves one behind the other.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Cosine : RoadKind {
  double height = 0, length = 1, at = 0;
  int count = 1;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&Cosine::height, "height", "m", any(), "from trough to crest").required(),
                              field(&Cosine::length, "length", "m", positive(), "of one wave").required(),
                              field(&Cosine::at, "at", "m", any(), "x where the first one begins"),
                              field(&Cosine::count, "count", "-", between(1.0, 1e6), "how many waves").required()),
                     RoadKind::fields);
  static constexpr const char* summary = "a row of cosine waves: washboard, sleepers";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
