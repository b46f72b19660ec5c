// What of a record makes the numbers of an evaluation doubtful: samples too far apart, accelerations in axes that do not turn with the vehicle.
#pragma once
#include <map>

#include "skyhook/analysis/evaluate.h"

namespace skyhook::analysis {

// Samples without a rate (math/unresolved_rates.h) by channel.
using Unresolved = std::map<std::string, std::size_t>;

// The same runs; what is read of them is counted in `unresolved`, which must outlive them.
std::vector<EvaluatedRun> watched(const std::vector<EvaluatedRun>& runs, Unresolved& unresolved);
std::vector<std::string> notes_of(const Unresolved& unresolved);

// Lateral or longitudinal accelerations that are NAME.ay or NAME.ax, global, of what turns by more than 5 deg: by NAME.yaw or, of rail vehicles, the curvature of the track.
std::vector<std::string> notes_of_turning(const Evaluation& evaluation, const EvaluatedRun& run);

}  // namespace skyhook::analysis
