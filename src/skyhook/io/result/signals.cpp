#include "skyhook/io/result/signals.h"

#include <algorithm>

#include "skyhook/base/units.h"

namespace skyhook::io {
namespace {

bool has(const std::vector<simulation::ChannelInfo>& list, const std::string& name) {
  return std::ranges::find(list, name, &simulation::ChannelInfo::name) != list.end();
}

std::optional<analysis::Signal> parameter(const simulation::RunInfo& info, const std::string& name) {
  const auto found = std::ranges::find(info.parameters, name, &std::pair<std::string, std::string>::first);
  if (found == info.parameters.end()) return {};
  try {
    const Quantity q = parse_quantity(found->second);
    return analysis::Signal::number(name, q.unit ? to_string(q.unit->dimension) : "-", q.si());
  } catch (const ModelError&) {
    return {};  // a text or a truth value
  }
}

}  // namespace

analysis::SignalSource signals_of(const ResultFile& result) {
  analysis::SignalSource out;
  for (const auto& c : result.channels()) out.names.push_back(c.name);
  for (const auto& c : result.states()) out.names.push_back(c.name), out.states.push_back(c.name);
  out.find = [&result](const std::string& name) -> std::optional<analysis::Signal> {
    if (name != "time" && !has(result.channels(), name) && !has(result.states(), name))
      return parameter(result.info(), name);
    Series s = result.series(name);
    analysis::Signal signal;
    signal.name = s.name, signal.unit = s.unit, signal.abscissa = result.info().abscissa;
    signal.x = std::move(s.time), signal.y = std::move(s.values), signal.rate = std::move(s.rates),
    signal.unresolved = s.unresolved;
    return signal;
  };
  return out;
}

bool is_formula(const ResultFile& result, const std::string& text) {
  if (has(result.channels(), text) || has(result.states(), text)) return false;
  const bool is_pattern = std::ranges::any_of(result.channels(), [&](const auto& c) { return matches(text, c.name); });
  return !is_pattern && analysis::looks_like_formula(text);
}

analysis::Signal signal_of(const ResultFile& result, const std::string& text) {
  if (!is_formula(result, text)) (void)result.select({text});  // says what is there
  return analysis::evaluate_formula(text, signals_of(result));
}

std::vector<std::string> select_with_formulas(const ResultFile& result, const std::vector<std::string>& list) {
  if (list.empty()) return result.select({});
  std::vector<std::string> out;
  for (const std::string& text : list) {
    const auto names = is_formula(result, text) ? std::vector{text} : result.select({text});
    for (const std::string& name : names) {
      if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

}  // namespace skyhook::io
