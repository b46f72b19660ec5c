// A point of one body stays on a curve that another body carries.
#pragma once
#include "skyhook/element/curve_fields.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct PointOnCurve : PairFields, CurveFields {
  static constexpr auto fields = std::tuple_cat(PairFields::fields, CurveFields::fields);
  static constexpr const char* summary = "a point of `to` stays on a curve in space that `from` carries";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
