// A road on a grid along a line, from an OpenCRG file.
#pragma once
#include "skyhook/element/road_kind.h"
#include "skyhook/model/road_grid.h"

namespace skyhook::element {

struct Crg : RoadKind {
  std::shared_ptr<const model::RoadGrid> file;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&Crg::file, "file", "-", any(), "an OpenCRG file in text form, relative to the model file").required()),
      RoadKind::fields);
  static constexpr const char* summary = "a grid of heights along a straight or curved line, from an OpenCRG file";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
