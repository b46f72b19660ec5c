#include "skyhook/simulation/run_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/base/error.h"
#include "skyhook/simulation/instant.h"

namespace skyhook::simulation {
namespace {

std::string name_of(const Owner& owner, const char* what, int index) {
  return index < 0 ? fmt::format("{}: {}", text_of(owner), what)
                   : fmt::format("{}: {} {}", text_of(owner), what, index);
}

std::string name_of(const char* what) { return fmt::format("run: {}", what); }

}  // namespace

std::string text_of(const Owner& owner) {
  return owner.type.empty() ? fmt::format("{} {}", owner.kind, owner.name)
                            : fmt::format("{} {} ({})", owner.kind, owner.name, owner.type);
}

void Saving::put(const Owner& owner, const char* what, double value, int index) {
  if (is_first_) to_.names.push_back(name_of(owner, what, index));
  to_.numbers.push_back(value);
}

void Saving::put(const char* what, double value) {
  if (is_first_) to_.names.push_back(name_of(what));
  to_.numbers.push_back(value);
}

void set_parameter(Parameters& list, const std::string& name, const std::string& value) {
  const auto known = std::ranges::find(list, name, &Parameters::value_type::first);
  if (known != list.end())
    known->second = value;
  else
    list.emplace_back(name, value);
}

Restoring::Restoring(const RunState& from) : source_(from.source) {
  if (from.names.size() != from.numbers.size())
    refuse(fmt::format("it has {} names, but {} numbers", from.names.size(), from.numbers.size()));
  for (std::size_t k = 0; k < from.names.size(); ++k) numbers_.emplace(from.names[k], from.numbers[k]);
}

std::optional<double> Restoring::find(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Restoring::get(const Owner& owner, const char* what, int index) const {
  return find(name_of(owner, what, index));
}

std::optional<double> Restoring::get(const char* what) const { return find(name_of(what)); }

std::optional<double> Restoring::finite(const Owner& owner, const char* what, int index) const {
  const auto value = get(owner, what, index);
  if (value && !std::isfinite(*value)) refuse(name_of(owner, what, index), *value, "a finite number");
  return value;
}

std::optional<long> Restoring::whole(const Owner& owner, const char* what, long low, long high) const {
  const auto value = get(owner, what);
  if (!value) return {};
  const bool fits = *value >= static_cast<double>(low) && *value <= static_cast<double>(high);
  if (!fits || *value != std::floor(*value))
    refuse(name_of(owner, what, -1), *value, fmt::format("a whole number from {} to {}", low, high));
  return static_cast<long>(*value);
}

std::optional<bool> Restoring::flag(const Owner& owner, const char* what) const {
  const auto value = whole(owner, what, 0, 1);
  return value ? std::optional(*value == 1) : std::nullopt;
}

std::optional<double> Restoring::past(const std::string& name, double now) const {
  const auto value = find(name);
  const bool is_reached = !value || *value <= now || same_instant(*value, now);
  if (value && !(std::isfinite(*value) && is_reached)) refuse(name, *value, fmt::format("a time up to {:.9g} s", now));
  return value;
}

std::optional<double> Restoring::past(const Owner& owner, const char* what, double now, int index) const {
  return past(name_of(owner, what, index), now);
}

std::optional<double> Restoring::past(const char* what, double now) const { return past(name_of(what), now); }

void Restoring::refuse(const std::string& name, double value, const std::string& should_be) const {
  refuse(fmt::format("\"{}\" is {}, but should be {}", name, value, should_be));
}

void Restoring::refuse(const std::string& what) const {
  throw ModelError({source_.empty() ? "the result" : source_}, "the state of the run is damaged: " + what + ".",
                   "Start from another time of the result, or repeat its run.");
}

}  // namespace skyhook::simulation
