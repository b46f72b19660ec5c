#include "skyhook/model/signals.h"

#include <algorithm>
#include <string_view>

namespace skyhook::model {

int find_signal(const Model& model, const std::string& name) {
  const auto position = [&](const std::string& wanted) {
    const auto found = std::ranges::find(model.signals, wanted, &Signal::name);
    return found == model.signals.end() ? -1 : static_cast<int>(found - model.signals.begin());
  };
  constexpr std::string_view only = ".output";
  if (const int exact = position(name); exact >= 0 || !name.ends_with(only)) return exact;
  const std::string owner = name.substr(0, name.size() - only.size());
  const bool is_controller = std::ranges::count(model.controllers, owner, &Controller::name) > 0;
  return is_controller ? position(owner) : -1;
}

SignalRef find_any_signal(const Model& model, const std::string& name) {
  if (const int held = find_signal(model, name); held >= 0) return {held};
  const auto found = std::ranges::find(model.continuous, name, &ContinuousSignal::name);
  if (found == model.continuous.end()) return {};
  return {static_cast<int>(found - model.continuous.begin()), true};
}

std::vector<std::string> signal_names(const Model& model) {
  std::vector<std::string> names;
  for (const Signal& signal : model.signals) names.push_back(signal.name);
  return names;
}

std::vector<std::string> all_signal_names(const Model& model) {
  std::vector<std::string> names = signal_names(model);
  for (const ContinuousSignal& signal : model.continuous) names.push_back(signal.name);
  return names;
}

}  // namespace skyhook::model
