// Sine waves that grow shorter, or longer.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct SineSweep : RoadKind {
  double amplitude = 0, at = 0, length = 1;
  std::vector<double> wavelengths;
  std::optional<double> fade;

  static constexpr auto fields = std::tuple_cat(
      describe(field(&SineSweep::amplitude, "amplitude", "m", any(), "half the height from trough to crest").required(),
               field(&SineSweep::wavelengths, "wavelengths", "m", positive(), "[first, last]").required(),
               field(&SineSweep::length, "length", "m", positive(), "of the whole").required(),
               field(&SineSweep::at, "at", "m", any(), "x where it begins"),
               field(&SineSweep::fade, "fade", "m", positive(),
                     "where the waves rise and fall; default: the longer wavelength")),
      RoadKind::fields);
  static constexpr const char* summary = "a sine sweep: the number of waves per metre rises evenly";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
