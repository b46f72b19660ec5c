// A massless rod with ball joints at its ends: the distance of two points is constant or prescribed.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct Rod : PairFields {
  std::optional<double> length;
  std::optional<model::Motion> drive;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(field(&Rod::length, "length", "m", positive(), "default: the distance at the design position"),
               field(&Rod::drive, "drive", "m", any(), "length over time, instead of `length`").over("t:s")));
  static constexpr const char* summary = "massless rod: two points at a constant or prescribed distance";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
