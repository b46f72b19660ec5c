// A number that nothing gives: NaN, so that what is computed of it is unknown too.
#pragma once
#include <limits>

namespace skyhook::analysis {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace skyhook::analysis
