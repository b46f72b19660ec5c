#include "skyhook/analysis/measure.h"

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/signal_formula.h"
#include "skyhook/analysis/unknown.h"
#include "skyhook/base/error.h"
#include "skyhook/expression/function_table.h"
#include "skyhook/math/unresolved_rates.h"

namespace skyhook::analysis {
namespace {

double first(const Signal& s) { return s.y.front(); }
double final(const Signal& s) { return s.y.back(); }
double range(const Signal& s) { return largest(s) - smallest(s); }
double time_of_max(const Signal& s) {
  return s.x[static_cast<std::size_t>(std::max_element(s.y.begin(), s.y.end()) - s.y.begin())];
}

struct Function {
  const char* name;
  double (*value)(const Signal&);
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
  if (open == std::string::npos && text.find('.') != std::string::npos &&
      text.find_first_of(" *?") == std::string::npos)
    return {"", "", Measure::Kind::evaluation, text};
  if (open == std::string::npos || open == 0 || std::ranges::count(text, '(') != std::ranges::count(text, ')') ||
      text.ends_with("()"))
    throw ModelError({"command line"},
                     "--measure " + text + " is not of the form FUNCTION(CHANNEL) or EVALUATION.NUMBER.",
                     "For example --measure \"max(chassis.z)\".");
  const std::string function = text.substr(0, open), inside = text.substr(open + 1, text.size() - open - 2);
  const auto& plain = measure_functions();
  const bool is_plain = std::ranges::find(plain, function) != plain.end();
  if (is_plain && text.back() == ')' && inside.find_first_of("(), ") == std::string::npos) return {function, inside};
  std::vector<std::string> known = plain;
  for (const SignalFunction& f : signal_functions()) known.emplace_back(f.name);
  const bool is_call = function.find_first_of(" +-*/^=.") == std::string::npos;
  if (is_call && std::ranges::find(known, function) == known.end() && !expression::find_function(function))
    throw ModelError({"command line"}, "--measure " + text + ": there is no function \"" + function + "\".",
                     suggest(function, known, "Functions"));
  return {"", "", Measure::Kind::formula, text};
}

double evaluate(const Measure& m, std::span<const double> time, std::span<const double> values,
                std::span<const double> rates) {
  const bool of_all = m.function != "first" && m.function != "final";  // extremes would pass over what is not a number
  if (values.empty() || (of_all && std::ranges::any_of(values, [](double x) { return std::isnan(x); }))) return unknown;
  Signal s;
  s.x.assign(time.begin(), time.end()), s.y.assign(values.begin(), values.end()),
      s.rate.assign(rates.begin(), rates.end());
  forget_unresolved_rates(s.x, s.y, s.rate);
  for (const Function& f : functions) {
    if (m.function == f.name) return f.value(s);
  }
  return unknown;
}

}  // namespace skyhook::analysis
