// The height where nobody can say one: at a place that is no finite number.
#pragma once
#include <limits>

#include "skyhook/model/relief.h"

namespace skyhook::element {

inline model::Bend unknown_bend() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {none, none, none, none, none, none};
}

}  // namespace skyhook::element
