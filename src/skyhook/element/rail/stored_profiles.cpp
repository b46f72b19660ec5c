// Profiles as rows of numbers.
#include <cstring>

#include "skyhook/element/rail/standard_profiles.h"

namespace skyhook::element::rail {
namespace {

constexpr std::size_t head = sizeof(StoredProfile) / sizeof(double), per_cell = sizeof(Profile::Cell) / sizeof(double);

StoredProfile head_of(std::span<const double> numbers) {
  StoredProfile out{};
  std::memcpy(&out, numbers.data(), sizeof out);
  return out;
}

}  // namespace

std::vector<double> stored(const Profile& profile) {
  const Profile::Parts& p = profile.parts();
  const StoredProfile numbers{p.first,     p.step,         p.smoothing,
                              p.deviation, p.deviation_at, static_cast<double>(p.cells.size())};
  std::vector<double> out(head + p.cells.size() * per_cell);
  std::memcpy(out.data(), &numbers, sizeof numbers);
  std::memcpy(out.data() + head, p.cells.data(), p.cells.size() * sizeof(Profile::Cell));
  return out;
}

ProfilePtr standard_from(std::span<const double> all, std::size_t k) {
  for (std::size_t before = 0; before < k; ++before)
    all = all.subspan(head + static_cast<std::size_t>(head_of(all).cells) * per_cell);
  const StoredProfile numbers = head_of(all);
  const StandardProfile& standard = standard_profiles[k];
  Profile::Parts parts{.name = standard.name,
                       .kind = standard.kind,
                       .first = numbers.first,
                       .step = numbers.step,
                       .smoothing = numbers.smoothing,
                       .deviation = numbers.deviation,
                       .deviation_at = numbers.deviation_at,
                       .notes = {standard.source}};
  parts.cells.resize(static_cast<std::size_t>(numbers.cells));
  std::memcpy(parts.cells.data(), all.data() + head, parts.cells.size() * sizeof(Profile::Cell));
  return std::make_shared<const Profile>(std::move(parts));
}

}  // namespace skyhook::element::rail
