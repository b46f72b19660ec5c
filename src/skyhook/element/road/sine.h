// Sine waves.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Sine : RoadKind {
  double amplitude = 0, wavelength = 1, at = 0;
  std::optional<double> length, fade;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&Sine::amplitude, "amplitude", "m", any(), "half the height from trough to crest").required(),
          field(&Sine::wavelength, "wavelength", "m", positive(), "of one wave").required(),
          field(&Sine::at, "at", "m", any(), "x where a wave begins, upwards"),
          field(&Sine::length, "length", "m", positive(), "of the waves from `at` on; default: without end, both ways"),
          field(&Sine::fade, "fade", "m", positive(),
                "with `length`: where they rise and fall; default: a wavelength")),
      RoadKind::fields);
  static constexpr const char* summary = "sine waves";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
