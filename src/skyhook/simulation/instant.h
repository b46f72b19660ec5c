// When two times are one: events at `at + k every`, samples at `offset + k sample_time` and ends of runs meet whenever they
// should, although each is rounded.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::simulation {

// Times are computed by multiplication, never summed up, so that their error stays at some units in the last place of the
// largest number that went into them; integrators do not step by less than this.
inline double rounding_at(double t, double scale = 0) {
  return 200 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(scale));
}

// `scale`: the largest number that one of them was computed from, where that is larger.
inline bool same_instant(double a, double b, double scale = 0) {
  if (std::isinf(a) || std::isinf(b)) return a == b;  // never: infinity would be near every time
  return std::abs(a - b) <= rounding_at(std::max(std::abs(a), std::abs(b)), scale);
}

}  // namespace skyhook::simulation
