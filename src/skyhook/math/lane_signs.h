// Where a mask is true, as a number: a bit of each lane, the first one lowest. Quicker to ask than lane by lane.
#pragma once
#include "skyhook/math/lanes.h"

namespace skyhook {

inline int signs(const LaneMask& a) {
#if defined(__AVX__) && __has_builtin(__builtin_ia32_movmskpd256)
  return __builtin_ia32_movmskpd256(Lanes::Register(a.bits));
#else
  return (a[0] ? 1 : 0) | (a[1] ? 2 : 0) | (a[2] ? 4 : 0) | (a[3] ? 8 : 0);
#endif
}

}  // namespace skyhook
