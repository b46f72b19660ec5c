#include "skyhook/simulation/run_state.h"

#include <fmt/format.h>

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

Restoring::Restoring(const RunState& from) {
  for (std::size_t k = 0; k < from.names.size() && k < from.numbers.size(); ++k)
    numbers_.emplace(from.names[k], from.numbers[k]);
}

std::optional<double> Restoring::get(const Owner& owner, const char* what, int index) const {
  const auto found = numbers_.find(name_of(owner, what, index));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Restoring::get(const char* what) const {
  const auto found = numbers_.find(name_of(what));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace skyhook::simulation
