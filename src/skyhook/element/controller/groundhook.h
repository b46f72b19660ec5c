// The damping of a semi-active damper that calms the wheel.
#pragma once
#include "skyhook/element/skyhook_law.h"

namespace skyhook::element {

struct Groundhook : SkyhookFields {
  model::Output wheel_velocity;

  static constexpr auto fields = std::tuple_cat(describe(field(&Groundhook::wheel_velocity, "wheel_velocity", "-",
                                                               any(), "channel: velocity of the wheel, positive up")
                                                             .required()),
                                                SkyhookFields::fields);
  static constexpr const char* summary = "damping that calms the wheel, for a semi-active damper";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
