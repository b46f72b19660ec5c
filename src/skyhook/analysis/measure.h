// One number from a channel over time: max(chassis.z), rms(seat.az), final(x).
#pragma once
#include <span>
#include <string>
#include <vector>

namespace skyhook::analysis {

struct Measure {
  std::string function, channel;
  std::string text() const { return function + "(" + channel + ")"; }
  // Of the number, if the channel has this one.
  std::string unit(const std::string& channel_unit) const { return function == "time_of_max" ? "s" : channel_unit; }
};

// min, max, mean, rms, first, final, range, time_of_max
const std::vector<std::string>& measure_functions();

// "max(chassis.z)". ModelError with the functions there are.
Measure parse_measure(const std::string& text);

// mean and rms are those of the line through the samples, each interval weighted by its length. NaN without samples.
double evaluate(const Measure& measure, std::span<const double> time, std::span<const double> values);

}  // namespace skyhook::analysis
