// The functions that formulas of recorded signals have beside those of the language.
#include <cmath>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/measure.h"
#include "skyhook/analysis/signal_formula.h"
#include "skyhook/analysis/spectra.h"

namespace skyhook::analysis {
namespace {

using Arguments = SignalArguments;

Signal over_time(const Arguments& a, std::size_t k) {
  Signal s = a.signal(k);
  if (s.abscissa.unit != "s")
    a.fail("\"" + a.text(k) + "\" is over " + s.abscissa.name + ", not over time.", "Name a channel of a run.");
  return s;
}

// Those that sweeps know as measures.
auto measure_of(const char* function) {
  return [function](const Arguments& a) {
    const Signal s = a.signal(0);
    const Measure m{function, s.name};
    return Signal::number("", m.unit(s.unit), evaluate(m, s.x, s.y, s.rate));
  };
}

auto weighted(const char* name) {
  return [name](const Arguments& a) { return filtered(weighting(name), over_time(a, 0)); };
}

Signal deviation_of(const Arguments& a) {
  const Signal s = a.signal(0);
  return Signal::number("", s.unit, deviation(s));
}

Signal butterworth_of(const Arguments& a) {
  const double order = a.quantity(1, "-");
  if (!(order >= 1 && order <= 20 && order == std::floor(order)))
    a.fail("the order \"" + a.text(1) + "\" of a Butterworth filter is no whole number from 1 to 20.",
           "Usual are 2 and 4.");
  const std::string& kind = a.text(2);
  if (kind != "low" && kind != "high" && kind != "band")
    a.fail("\"" + kind + "\" is no kind of filter.", "Write low, high or band.");
  const bool is_band = kind == "band", zero_phase = a.text(a.count() - 1) == "zero_phase";
  const std::size_t expected = 4 + (is_band ? 1 : 0) + (zero_phase ? 1 : 0);
  if (a.count() != expected)
    a.fail("a filter `" + kind + "` needs " + (is_band ? "two frequencies." : "one frequency."),
           "For example butterworth(x, 2, low, 10 Hz) or butterworth(x, 2, band, 1 Hz, 10 Hz, zero_phase).");
  const double first = a.quantity(3, "Hz"), second = is_band ? a.quantity(4, "Hz") : 0;
  if (!(first > 0) || (is_band && !(second > first)))
    a.fail("the frequencies of a filter must be above 0, and the second above the first.", "");
  const Pass pass = kind == "low" ? Pass::low : kind == "high" ? Pass::high : Pass::band;
  return filtered(butterworth(static_cast<int>(order), pass, first, second), over_time(a, 0),
                  zero_phase ? Direction::zero_phase : Direction::forward);
}

Signal running_rms_of(const Arguments& a) {
  const double window = a.count() > 1 ? a.quantity(1, "s") : 1.0;
  if (!(window > 0)) a.fail("the window of running_rms must be above 0.", "Usual is 1 s.");
  return running_rms(over_time(a, 0), window);
}

Signal percentile_of(const Arguments& a) {
  const double percent = a.quantity(1, "-");
  if (!(percent >= 0 && percent <= 100))
    a.fail("percentile needs a number from 0 to 100.", "For example percentile(x, 95).");
  const Signal s = a.signal(0);
  return Signal::number("", s.unit, percentile(s, percent));
}

Signal part_of(const Arguments& a) {
  const Signal s = over_time(a, 0);
  const double from = a.quantity(1, "s"), to = a.quantity(2, "s");
  if (!(from < to) || to <= s.x.front() || from >= s.x.back())
    a.fail("nothing of \"" + s.name + "\" is recorded between " + a.text(1) + " and " + a.text(2) + ".",
           "Give times within the run.");
  return part(s, from, to);
}

Signal crossings_of(const Arguments& a) {
  const Signal s = over_time(a, 0);
  return Signal::number("", "Hz", crossings(s, a.count() > 1 ? a.quantity(1, s.unit) : 0.0));
}

Signal crest_of(const Arguments& a) {
  const Signal s = a.signal(0);
  return Signal::number("", "-", std::max(largest(s), -smallest(s)) / rms(s));
}

Signal dose_of(const Arguments& a) {
  const Signal s = over_time(a, 0);
  return Signal::number("", s.unit == "m/s^2" ? "m/s^1.75" : s.unit + ".s^0.25", vibration_dose(s));
}

double segment_of(const Arguments& a, std::size_t k) { return a.count() > k ? a.quantity(k, "s") : 0.0; }

Signal detrended(const Arguments& a) {
  Signal s = over_time(a, 0);
  const double m = mean(s);
  for (double& y : s.y) y -= m;
  return s;
}

}  // namespace

const std::vector<SignalFunction>& signal_functions() {
  static const std::vector<SignalFunction> all = {
      {"mean", "mean(x)", "mean over time", 1, 1, measure_of("mean")},
      {"rms", "rms(x)", "root of the mean square over time", 1, 1, measure_of("rms")},
      {"std", "std(x)", "standard deviation over time", 1, 1, deviation_of},
      {"min", "min(x)", "smallest sample; of several arguments: at each sample", 1, 1, measure_of("min")},
      {"max", "max(x)", "largest sample; of several arguments: at each sample", 1, 1, measure_of("max")},
      {"range", "range(x)", "largest less smallest sample", 1, 1, measure_of("range")},
      {"first", "first(x)", "first sample", 1, 1, measure_of("first")},
      {"final", "final(x)", "last sample", 1, 1, measure_of("final")},
      {"time_of_max", "time_of_max(x)", "time of the largest sample", 1, 1, measure_of("time_of_max")},
      {"percentile", "percentile(x, 95)", "below which it is for so many percent of the time", 2, 2, percentile_of},
      {"crossings", "crossings(x, level)", "upward crossings of the level (0) a second", 1, 2, crossings_of},
      {"crest", "crest(x)", "largest size over rms", 1, 1, crest_of},
      {"vdv", "vdv(x)", "vibration dose value, the fourth root of the integral of the fourth power", 1, 1, dose_of},
      {"running_rms", "running_rms(x, 1 s)", "rms of the last second, or of another window", 1, 2, running_rms_of},
      {"detrend", "detrend(x)", "less its mean", 1, 1, detrended},
      {"part", "part(x, 2 s, 10 s)", "from one time to another", 3, 3, part_of},
      {"integral", "integral(x)", "over time, from the first sample on", 1, 1,
       [](const Arguments& a) { return integral(a.signal(0)); }},
      {"derivative", "derivative(x)", "with respect to time", 1, 1,
       [](const Arguments& a) { return derivative(a.signal(0)); }},
      {"butterworth", "butterworth(x, 2, low, 10 Hz)",
       "Butterworth filter: order, low, high or band, one frequency or two, zero_phase", 4, 6, butterworth_of},
      {"Wk", "Wk(x)", "frequency weighting of ISO 2631-1: vertical", 1, 1, weighted("Wk")},
      {"Wd", "Wd(x)", "the same, horizontal", 1, 1, weighted("Wd")},
      {"Wc", "Wc(x)", "the same, seat back", 1, 1, weighted("Wc")},
      {"We", "We(x)", "the same, rotations", 1, 1, weighted("We")},
      {"Wj", "Wj(x)", "the same, head of a lying person", 1, 1, weighted("Wj")},
      {"Wf", "Wf(x)", "the same, motion sickness", 1, 1, weighted("Wf")},
      {"Wb", "Wb(x)", "frequency weighting of EN 12299: vertical, in trains", 1, 1, weighted("Wb")},
      {"fft", "fft(x)", "amplitudes over frequency", 1, 1,
       [](const Arguments& a) { return amplitude_spectrum(over_time(a, 0)); }},
      {"psd", "psd(x, 4 s)",
       "power spectral density by Welch's method: segments of a quarter of the record, or this long", 1, 2,
       [](const Arguments& a) { return power_density(over_time(a, 0), segment_of(a, 1)); }},
      {"transfer", "transfer(y, x, 4 s)", "gain from x to y over frequency, by the same segments", 2, 3,
       [](const Arguments& a) { return transfer_estimate(over_time(a, 0), over_time(a, 1), segment_of(a, 2)).gain; }},
      {"phase", "phase(y, x, 4 s)", "its phase", 2, 3,
       [](const Arguments& a) { return transfer_estimate(over_time(a, 0), over_time(a, 1), segment_of(a, 2)).phase; }},
      {"coherence", "coherence(y, x, 4 s)", "its coherence", 2, 3,
       [](const Arguments& a) {
         return transfer_estimate(over_time(a, 0), over_time(a, 1), segment_of(a, 2)).coherence;
       }},
  };
  return all;
}

}  // namespace skyhook::analysis
