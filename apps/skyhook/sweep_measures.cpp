#include "sweep_measures.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "skyhook/analysis/signal_formula.h"

namespace skyhook::app {
namespace {

double value_of(const analysis::Measure& m, const Recorded& recorded) {
  if (m.kind == analysis::Measure::Kind::formula)
    return analysis::evaluate_formula(m.formula, recorded.signals()).y.front();
  const auto k = recorded.find(m.channel);
  if (!k) throw ModelError({}, "there is no channel \"" + m.channel + "\" at this point.", "");
  return analysis::evaluate(m, recorded.time, recorded.values[*k], recorded.rates[*k]);
}

}  // namespace

std::string unit_of_formula(const std::string& text, const std::vector<simulation::Channel>& all) {
  analysis::SignalSource nothing;
  for (const auto& c : all) nothing.names.push_back(c.name);
  nothing.find = [&](const std::string& name) -> std::optional<analysis::Signal> {
    const auto found = std::ranges::find(all, name, &simulation::Channel::name);
    if (found == all.end()) return {};
    analysis::Signal s;
    s.name = name, s.unit = found->unit;
    for (int k = 0; k <= 1000; ++k) s.x.push_back(k * 0.1), s.y.push_back(k % 2);
    return s;
  };
  const analysis::Signal s = analysis::evaluate_formula(text, nothing);
  if (!s.is_number())
    throw ModelError({"command line"}, "--measure " + text + " is no number, but goes over " + s.abscissa.name + ".",
                     "For example --measure \"max(" + text + ")\".");
  return s.unit;
}

std::vector<double> measured(const std::vector<analysis::Measure>& measures,
                             const std::vector<analysis::EvaluationRequest>& requests, const Recorded& recorded,
                             std::vector<std::string>& units) {
  std::map<std::string, analysis::Evaluation> evaluations;
  for (const auto& request : requests) {
    const auto asks_for_it = [&](const analysis::Measure& m) { return m.formula.starts_with(request.name + "."); };
    if (std::ranges::any_of(measures, asks_for_it))
      evaluations[request.name] = analysis::evaluate(request, {{"this point", recorded.signals()}});
  }
  std::vector<double> out;
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const analysis::Measure& m = measures[k];
    if (m.kind != analysis::Measure::Kind::evaluation) {
      out.push_back(value_of(m, recorded));
      continue;
    }
    const std::size_t dot = m.formula.find('.');
    const analysis::Evaluation& e = evaluations.at(m.formula.substr(0, dot));
    const analysis::EvaluatedNumber* const n = e.find(m.formula.substr(dot + 1));
    if (!n) {
      std::vector<std::string> known;
      for (const auto& each : e.numbers) known.push_back(each.name);
      throw ModelError({}, "\"" + e.name + "\" has no number \"" + m.formula.substr(dot + 1) + "\".",
                       suggest(m.formula.substr(dot + 1), known, "Numbers"));
    }
    out.push_back(n->value);
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    units[k] = n->unit;
  }
  return out;
}

}  // namespace skyhook::app
