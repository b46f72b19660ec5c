// Compares two result files channel by channel.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/result/reader.h"

namespace skyhook::io {

struct ChannelDifference {
  std::string name, unit;
  double largest = 0;  // max |a - b|; infinite if one of them is NaN alone, or if the units differ
  // By what it is judged: the largest |value| in A of the channels with the same unit and the same owner, the name up to its last dot, since
  // rounding noise of one component of a vector is small beside the others. At least 1e-6 of the largest in A in that unit, whatever its owner,
  // and 1e-6 in that unit: a channel that is zero but for noise is the same as another that is.
  double scale = 0;
  double scaled = 0;  // largest / scale
  double at = 0;      // time of the largest
};

struct Difference {
  std::vector<ChannelDifference> channels;  // largest scaled difference first
  std::vector<std::string> only_in_a, only_in_b;
  bool same_times = false;  // sample compared with sample; otherwise b is interpolated at a's times
                            // but for events that they have at slightly different times: there like side with like side
  bool same_begin = false, same_end = false;  // of both runs
  double from = 0, to = 0;                    // what was compared: where both have samples
  bool same_range() const { return same_begin && same_end; }
  // Whether both files say the same: same channels, the same end, each channel's scaled difference at most `tolerance`. A run may begin later, as one
  // does that goes on from a result; one that ends earlier has not come as far. `common`: it may end earlier as well.
  bool within(double tolerance, bool common = false) const;
};

// An empty list of patterns means all channels but errors of the numerics: energy.balance and constraints.*, whatever outputs call them.
// ModelError if the files have no time in common, or neither has a channel that is meant.
Difference compare(const ResultFile& a, const ResultFile& b, const std::vector<std::string>& patterns = {});

}  // namespace skyhook::io
