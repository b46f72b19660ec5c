#include "skyhook/element/road/sine.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/wave_train.h"

namespace skyhook::element {

void Sine::add_to(model::FieldSource& source, model::Model& model) const {
  const double n = 1 / wavelength, ends = fade.value_or(wavelength);
  if (length && 2 * ends > *length)
    fail(source, "length", "the waves are shorter than their two ends (`fade`).", "Give a greater length.");
  put(std::make_shared<WaveTrain>(WaveTrain::Shape{amplitude, n, n, at, length, ends}), source, model);
}

}  // namespace skyhook::element
