// Signals over another one than time: over the distance travelled, with means that slide along it.
#pragma once
#include <optional>

#include "skyhook/analysis/signal.h"

namespace skyhook::analysis {

// `s` over the values of `along`, which never fall: y as a function of them, dy/dx = (dy/dt)/(dx/dt). Where `along` stands still, the last sample counts.
// nullopt: it falls somewhere, or has not the same samples.
std::optional<Signal> over(const Signal& s, const Signal& along);

// Mean of the last and the next half window, at even places `step` apart; those with whole windows only, so that nothing is made up at the ends. Exact for
// the curve that the signal is, jumps included. Empty: the record is shorter than a window.
Signal sliding_mean(const Signal& s, double window, double step);

// The distance travelled at a speed.
Signal distance_of(const Signal& speed);

}  // namespace skyhook::analysis
