#include "skyhook/element/road/sine_sweep.h"

#include <algorithm>

#include "skyhook/element/finding.h"
#include "skyhook/element/wave_train.h"

namespace skyhook::element {

void SineSweep::add_to(model::FieldSource& source, model::Model& model) const {
  if (wavelengths.size() != 2) fail(source, "wavelengths", "wavelengths is no pair.", "Write [first, last].");
  const double ends = fade.value_or(std::max(wavelengths[0], wavelengths[1]));
  if (2 * ends > length)
    fail(source, "length", "the waves are shorter than their two ends (`fade`).", "Give a greater length.");
  put(std::make_shared<WaveTrain>(
          WaveTrain::Shape{amplitude, 1 / wavelengths[0], 1 / wavelengths[1], at, length, ends}),
      source, model);
}

}  // namespace skyhook::element
