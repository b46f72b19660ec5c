#include "skyhook/analysis/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/base/error.h"

namespace skyhook::analysis {
namespace {

using Values = std::span<const double>;

// Mean over time of f(value at the left, at the right) of each interval.
template <class OfInterval>
double time_mean(Values t, Values v, OfInterval&& f) {
  const double span = t.back() - t.front();
  if (!(span > 0)) return f(v.back(), v.back());
  double sum = 0;
  for (std::size_t k = 1; k < v.size(); ++k) sum += (t[k] - t[k - 1]) * f(v[k - 1], v[k]);
  return sum / span;
}

double smallest(Values, Values v) { return *std::min_element(v.begin(), v.end()); }
double largest(Values, Values v) { return *std::max_element(v.begin(), v.end()); }
double mean(Values t, Values v) {
  return time_mean(t, v, [](double a, double b) { return (a + b) / 2; });
}
double rms(Values t, Values v) {
  return std::sqrt(time_mean(t, v, [](double a, double b) { return (a * a + a * b + b * b) / 3; }));
}
double first(Values, Values v) { return v.front(); }
double final(Values, Values v) { return v.back(); }
double range(Values t, Values v) { return largest(t, v) - smallest(t, v); }
double time_of_max(Values t, Values v) {
  return t[static_cast<std::size_t>(std::max_element(v.begin(), v.end()) - v.begin())];
}

struct Function {
  const char* name;
  double (*value)(Values, Values);
};
constexpr Function functions[] = {{"min", smallest}, {"max", largest}, {"mean", mean},   {"rms", rms},
                                  {"first", first},  {"final", final}, {"range", range}, {"time_of_max", time_of_max}};

}  // namespace

const std::vector<std::string>& measure_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Function& f : functions) out.emplace_back(f.name);
    return out;
  }();
  return names;
}

Measure parse_measure(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || open == 0 || text.back() != ')' || open + 2 >= text.size())
    throw ModelError({"command line"}, "--measure " + text + " is not of the form FUNCTION(CHANNEL).",
                     "For example --measure \"max(chassis.z)\".");
  const Measure m{text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
  const auto& known = measure_functions();
  if (std::find(known.begin(), known.end(), m.function) == known.end())
    throw ModelError({"command line"}, "--measure " + text + ": there is no function \"" + m.function + "\".",
                     suggest(m.function, known, "Functions"));
  return m;
}

double evaluate(const Measure& m, Values time, Values values) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const bool of_all = m.function != "first" && m.function != "final";  // extremes would pass over what is not a number
  if (values.empty() || (of_all && std::ranges::any_of(values, [](double x) { return std::isnan(x); }))) return unknown;
  for (const Function& f : functions) {
    if (m.function == f.name) return f.value(time, values);
  }
  return unknown;
}

}  // namespace skyhook::analysis
