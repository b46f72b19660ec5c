#include "skyhook/corrector/strategy.h"

#include <algorithm>
#include <array>

namespace skyhook {
namespace {

constexpr std::array<const char*, 4> sources{"exact", "dense", "grouped", "estimated"};
constexpr std::array<const char*, 3> updates{"", "+partitioned", "+extended"};

}  // namespace

std::string name_of(const JacobianStrategy& strategy) {
  return std::string(sources[static_cast<std::size_t>(strategy.source)]) +
         updates[static_cast<std::size_t>(strategy.update)];
}

// The exact dF/dy is not kept by a Taylor expansion: it costs less than that.
const std::vector<std::string>& jacobian_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"auto"};
    for (int source = 0; source < 4; ++source) {
      for (int update = 0; update < (source == 0 ? 2 : 3); ++update)
        list.push_back(name_of({JacobianStrategy::Source(source), JacobianStrategy::Update(update)}));
    }
    return list;
  }();
  return names;
}

std::optional<JacobianStrategy> find_jacobian(std::string_view name) {
  if (name == "auto") return JacobianStrategy{};
  for (int source = 0; source < 4; ++source) {
    for (int update = 0; update < 3; ++update) {
      const JacobianStrategy s{JacobianStrategy::Source(source), JacobianStrategy::Update(update)};
      if (name_of(s) == name && std::ranges::count(jacobian_names(), name) > 0) return s;
    }
  }
  return {};
}

}  // namespace skyhook
