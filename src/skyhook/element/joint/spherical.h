// A ball joint: `to` turns freely relative to `from` about one point.
#pragma once
#include "skyhook/element/ball.h"

namespace skyhook::element {

struct Spherical : JointFields, BallFields {
  static constexpr auto fields = std::tuple_cat(JointFields::fields, BallFields::fields);
  static constexpr const char* summary = "ball joint: free rotation about one point";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
