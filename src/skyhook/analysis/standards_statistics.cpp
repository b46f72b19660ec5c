#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {

void evaluate_statistics(const EvaluationInputs& inputs, Evaluation& out) {
  const SignalSource& signals = inputs.run(0).signals;
  std::vector<std::string> names = inputs.list("channels");
  if (names.empty()) names = signals.names;
  for (const std::string& text : names) {
    const Signal whole = evaluate_formula(text, signals);
    if (whole.is_number()) {
      out.numbers.push_back({text, whole.unit, whole.y[0], "as given"});
      continue;
    }
    const Signal s = whole.abscissa.unit == "s" ? inputs.within(whole) : whole;
    const double m = mean(s);
    const auto add = [&](const char* kind, const std::string& unit, double value, const char* meaning) {
      out.numbers.push_back({text + "." + kind, unit, value, meaning});
    };
    add("mean", s.unit, m, "over time"), add("std", s.unit, deviation(s), "standard deviation"),
        add("rms", s.unit, rms(s), "root mean square");
    add("min", s.unit, smallest(s), "smallest sample"), add("max", s.unit, largest(s), "largest sample");
    add("p5", s.unit, percentile(s, 5), "below it for 5 % of the time"),
        add("p50", s.unit, percentile(s, 50), "median");
    add("p95", s.unit, percentile(s, 95), "below it for 95 % of the time");
    add("crossings", "Hz", crossings(s, m), "upward crossings of the mean a second");
  }
}

}  // namespace skyhook::analysis
