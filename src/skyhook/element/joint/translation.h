// `to` moves in all three directions of `from` and does not turn against it.
#pragma once
#include "skyhook/element/translation.h"

namespace skyhook::element {

struct Translation : JointFields, TranslationFields {
  static constexpr auto fields = std::tuple_cat(JointFields::fields, TranslationFields::fields);
  static constexpr const char* summary = "translation: three displacements, no rotation";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
