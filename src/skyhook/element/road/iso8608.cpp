#include "skyhook/element/road/iso8608.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/random_road.h"
#include "skyhook/element/two_tracks.h"

namespace skyhook::element {

void Iso8608::add_to(model::FieldSource& source, model::Model& model) const {
  RoadSpectrum spectrum{.roughness = roughness.value_or(roughness_of(degree[0])), .waviness = waviness};
  if (wavelengths.size() != 2 || !(wavelengths[0] < wavelengths[1]))
    fail(source, "wavelengths", "wavelengths is no range.", "Write [shortest, longest].");
  spectrum.first = 1 / wavelengths[1], spectrum.last = 1 / wavelengths[0];
  if (wavelengths[1] > length)
    fail(source, "length", "the road repeats before its longest wave ends.",
         "Give a greater length, or shorter waves.");
  if (length / wavelengths[0] > most_waves)
    fail(source, "length", "more than half a million waves of the shortest length would stand one behind the other.",
         "Give a shorter length, or a longer shortest wave.");
  const auto seen = random_tracks(spectrum, length, tracks == 2 ? coherence : 0.0, static_cast<unsigned>(seed));
  if (tracks == 1) return put(seen.left, source, model);
  put(std::make_shared<TwoTracks>(seen.left, seen.right, track), source, model);
}

}  // namespace skyhook::element
