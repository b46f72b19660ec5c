// No connection: the six coordinates of a free body relative to `from`.
#pragma once
#include "skyhook/element/ball.h"
#include "skyhook/element/translation.h"

namespace skyhook::element {

struct Free : JointFields, TranslationFields, BallFields {
  static constexpr auto fields = std::tuple_cat(JointFields::fields, TranslationFields::fields, BallFields::fields);
  static constexpr const char* summary = "free motion: three translations and three rotations";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
