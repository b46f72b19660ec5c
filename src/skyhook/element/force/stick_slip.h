// Dry friction on a joint coordinate that sticks and slips in earnest.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct StickSlip {
  model::CoordinateRef joint;
  std::optional<double> hold, slide, angular_hold, angular_slide;

  static constexpr auto fields = describe(
      field(&StickSlip::joint, "joint", "-", any(), "joint coordinate: slider or slider.displacement").required(),
      field(&StickSlip::hold, "hold", "N", at_least(0.0), "largest force while it sticks"),
      field(&StickSlip::slide, "slide", "N", at_least(0.0), "force while it slips; default: hold"),
      field(&StickSlip::angular_hold, "angular_hold", "N.m", at_least(0.0), "for angles: as hold"),
      field(&StickSlip::angular_slide, "angular_slide", "N.m", at_least(0.0), "for angles: as slide"));
  static constexpr const char* summary = "dry friction on a joint coordinate, with real sticking";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
