// Profiles of standards as they stand in the program: fitted to their zones (standard_zones.cpp) when it is built (tools/standard_profiles.cpp), 0.8 MB of them. Fitting two of
// them takes as long as a third of a second of a fast run.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "skyhook/element/rail/profile.h"

namespace skyhook::element::rail {

struct StandardProfile {
  const char *name, *summary;
  Profile::Kind kind;
  const char* source;
};
// In the order in which they are stored.
inline constexpr std::array<StandardProfile, 4> standard_profiles{
    {{"s1002", "wheel, EN 13715 / UIC 510-2", Profile::Kind::wheel, "zones of EN 13715 (UIC 510-2)"},
     {"en15302_wheel_a", "wheel A of EN 15302 (R-UIC 519-A); its tread is not that of S1002", Profile::Kind::wheel,
      "zones of EN 15302:2021 annex I, wheel A"},
     {"en15302_rail_a", "rail A of EN 15302: UIC 60, leant 1:20 already", Profile::Kind::rail,
      "zones of EN 15302:2021 annex I, rail A"},
     {"uic60", "rail UIC 60 (60E1), upright", Profile::Kind::rail, "arcs of 300, 80 and 13 mm, side faces 20:1"}}};

ProfilePtr fit_standard(const StandardProfile& which);

// What is stored of a profile: these numbers, then its cells.
struct StoredProfile {
  double first, step, smoothing, deviation, deviation_at, cells;
};
std::vector<double> stored(const Profile& profile);
// That of the k-th, from all of them one behind the other.
ProfilePtr standard_from(std::span<const double> all, std::size_t k);

}  // namespace skyhook::element::rail
