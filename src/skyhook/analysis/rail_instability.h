// Does a rail vehicle run steadily (EN 14363)? The sum of guiding forces of an axle, or in the simplified method the acceleration of a bogie frame, about the frequency at which it swings most:
// its rms over a window of the way.
#pragma once
#include <optional>

#include "skyhook/analysis/signal.h"

namespace skyhook::analysis {

struct Instability {
  double frequency = 0;  // Hz, the middle of the band
  Signal rms;            // over the distance
};

// `s` over time, passed within 2 Hz of `frequency`, or of the largest amplitude between 0.5 and 15 Hz. Nothing: it is constant, or the way is shorter than the window.
std::optional<Instability> instability_of(const Signal& s, const Signal& distance, std::optional<double> frequency,
                                          double window, double step);

}  // namespace skyhook::analysis
