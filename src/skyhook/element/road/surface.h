// A height by a formula of x and y.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct FormulaSurface : RoadKind {
  std::optional<model::Formula> height;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&FormulaSurface::height, "height", "m", any(), "over x and y of the road, smooth")
                                  .over("x:m y:m")
                                  .required()),
                     RoadKind::fields);
  static constexpr const char* summary = "a height by a formula of x and y";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
