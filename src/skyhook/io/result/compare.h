// Compares two result files channel by channel.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/result/reader.h"

namespace skyhook::io {

struct ChannelDifference {
  std::string name, unit;
  double largest = 0;  // max |a - b|; infinite if one of them is NaN alone, or if the units differ
  // largest / scale. The scale is the largest |value| in A of the channels with the same unit and the same owner, the
  // name up to its last dot, at least 1e-12: rounding noise of one component of a vector is small beside the others.
  double scaled = 0;
  double at = 0;  // time of the largest
};

struct Difference {
  std::vector<ChannelDifference> channels;  // largest scaled difference first
  std::vector<std::string> only_in_a, only_in_b;
  bool same_times = false;  // sample compared with sample; otherwise b is interpolated at a's times
                            // but for events that they have at slightly different times: there like side with like side
  bool same_range = false;  // both runs begin and end at the same times
  double from = 0, to = 0;  // what was compared: where both have samples
  // Whether both files say the same: same channels, same range, each channel's scaled difference at most `tolerance`.
  bool within(double tolerance) const;
};

// An empty list of patterns means all channels but energy.balance and constraints.*, which are errors themselves.
// ModelError if the files have no time in common, or neither has a channel that is meant.
Difference compare(const ResultFile& a, const ResultFile& b, const std::vector<std::string>& patterns = {});

}  // namespace skyhook::io
