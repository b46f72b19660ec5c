// Two bodies as one.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct Fixed : JointFields {
  static constexpr auto fields = JointFields::fields;
  static constexpr const char* summary = "two bodies as one: no relative motion";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
