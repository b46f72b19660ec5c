// One number from a run: of a channel over time, max(chassis.z), rms(seat.az), final(x); of a formula of channels, rms(Wk(seat.az)); or one that the
// experiment evaluates, iso2631.vertical.rms.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace skyhook::analysis {

struct Measure {
  enum class Kind { channel, formula, evaluation };
  std::string function, channel;
  Kind kind = Kind::channel;
  std::string formula = {};  // or the number of an evaluation, "iso2631.vertical.rms"
  std::string text() const { return kind == Kind::channel ? function + "(" + channel + ")" : formula; }
  // Of the number, if the channel has this one.
  std::string unit(const std::string& channel_unit) const { return function == "time_of_max" ? "s" : channel_unit; }
};

// min, max, mean, rms, first, final, range, time_of_max
const std::vector<std::string>& measure_functions();

// "max(chassis.z)"; a call of another function of signals (signal_formula.h), or with more than a name in it, is a formula; a text without
// parentheses names an evaluation and its number. ModelError with the functions there are.
Measure parse_measure(const std::string& text);

// mean and rms are those of the curve through the samples (analysis/signal.h): a line without rates, each interval weighted by its length. NaN
// without samples.
double evaluate(const Measure& measure, std::span<const double> time, std::span<const double> values,
                std::span<const double> rates = {});

}  // namespace skyhook::analysis
