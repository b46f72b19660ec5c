// Do the samples of a run show its channels, or do these oscillate faster than that?
//
// A sine of angular frequency w and amplitude A has the rms deviation s = A / sqrt(2) and rates w A cos. At the Nyquist
// frequency, w h = pi, half of the samples have h |rate| > pi s; at half of that frequency none has. So a channel counts as
// too fast where more than 40 % of its samples have. Single spikes, jumps and fast remainders on a slow motion do not.
//
// Samples at multiples of half the period see the same phases again and again: their deviation is none, or that of a slow beat, and
// says nothing of the frequency. Then the median rate, or of positions the median curvature, gives it away: it would carry a value
// that stands still far off within one step. How fast positions oscillate their curvatures tell at any phase: f'' = -w^2 (f - mean).
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

class ChannelResolution {
 public:
  // At equal distances in time; of long runs ever fewer are kept.
  // Rates are NaN where they were left out (rate_trial.h). Curvatures are second derivatives, NaN where not known; of channels that depend on velocities they are not used.
  void add(const std::vector<double>& values, const std::vector<double>& rates, const std::vector<double>& curvatures);
  // Of the next sample. One in sixteen is enough for medians and shares, of the first ones all.
  bool wants_curvatures() const { return seen_ < 32 || seen_ % std::max(stride_, 16L) == 0; }
  // Curvatures of others are not used: functions of the coordinates alone, as joint coordinates, points and lengths are.
  static bool is_position(const Channel& c) { return !c.of_inner_state && (c.unit == "m" || c.unit == "rad"); }
  // Of the channel that most needs a smaller step; none: all are shown. What the tolerance does not resolve is not looked at, nor
  // such a part of the energy that was exchanged: books that close are rounding.
  std::vector<Warning> warnings(const std::vector<Channel>& channels, double output_step, double tolerance,
                                double energy) const;

 private:
  struct Statistics {
    double deviation = 0;  // rms, from the mean
    double largest = 0;    // |value|
    double rates = 0;      // that are known
    double rate_squares = 0;
    double fast_share = 0;
    double hidden = 0;     // amplitude that samples at the same phases hide; 0: they are at many
    double frequency = 0;  // 0: not known
  };
  std::vector<Statistics> statistics(std::size_t channels, double output_step) const;
  void look_at_rates(std::size_t channel, double output_step, Statistics& s) const;
  void look_at_curvatures(std::size_t channel, double output_step, Statistics& s) const;

  std::vector<std::vector<double>> values_, rates_, curvatures_;  // by sample
  long seen_ = 0, stride_ = 1;
};

}  // namespace skyhook::simulation
