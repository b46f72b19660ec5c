// Which samples of a long series a report keeps.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::io::report {

using Rows = std::vector<std::uint32_t>;  // numbers of samples, rising

// All if they are no more than `most`. Otherwise about `most`: the smallest and the largest of each of equally many
// samples, so that no peak is lost, the first and the last, and a NaN where there are some, so that gaps stay visible.
// Both sides of events are kept unless these are more than a quarter. `sides` is as in simulation::Sample, or empty.
Rows keep_extremes(std::span<const float> values, std::span<const int> sides, std::size_t most);

// At most about `most`, evenly in time whatever the distances of the samples, first and last among them, and both sides
// of events unless these are more than half. Where the samples are even, each n-th of them, so that motion does not jitter.
Rows keep_evenly(CSpan time, std::span<const int> sides, std::size_t most);

// The smallest of each of `most` runs of equally many, and first and last.
Rows keep_smallest(CSpan values, std::size_t most);

}  // namespace skyhook::io::report
