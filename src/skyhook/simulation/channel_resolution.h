// Do the samples of a run show its channels, or do these oscillate faster than that?
//
// A sine of angular frequency w and amplitude A has the rms deviation s = A / sqrt(2) and rates w A cos. At the Nyquist
// frequency, w h = pi, half of the samples have h |rate| > pi s; at half of that frequency none has. So a channel counts as
// too fast where more than 40 % of its samples have. Single spikes, jumps and fast remainders on a slow motion do not.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

class ChannelResolution {
 public:
  // At equal distances in time; of long runs ever fewer are kept.
  void add(const std::vector<double>& values, const std::vector<double>& rates);
  // Of the channel that most needs a smaller step; none: all are shown. What the tolerance does not resolve is not looked at, nor
  // such a part of the energy that was exchanged: books that close are rounding.
  std::vector<Warning> warnings(const std::vector<Channel>& channels, double output_step, double tolerance,
                                double energy) const;

 private:
  struct Statistics {
    double deviation = 0;  // rms, from the mean
    double largest = 0;    // |value|
    double fast_share = 0, frequency = 0;
  };
  Statistics statistics(std::size_t channel, double output_step) const;

  std::vector<std::vector<double>> values_, rates_;  // by sample
  long seen_ = 0, stride_ = 1;
};

}  // namespace skyhook::simulation
