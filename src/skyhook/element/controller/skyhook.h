// The damping of a semi-active damper that calms the body.
#pragma once
#include "skyhook/element/skyhook_law.h"

namespace skyhook::element {

struct Skyhook : SkyhookFields {
  model::Output body_velocity;

  static constexpr auto fields = std::tuple_cat(
      describe(field(&Skyhook::body_velocity, "body_velocity", "-", any(), "channel: velocity of the body, positive up")
                   .required()),
      SkyhookFields::fields);
  static constexpr const char* summary = "damping that calms the body, for a semi-active damper";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
