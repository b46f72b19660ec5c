// The tyre as a spring, and the way per angle of a free wheel, both over the deflection p.
#pragma once
#include "skyhook/math/dual.h"

namespace skyhook::element::tyre {

// Elastic part k p + k2 p^2.
struct Vertical {
  double radius = 1, stiffness = 1, progressive = 0, damping = 0;

  template <class T>
  T push(const T& p, const T& rate) const {
    return (T(stiffness) + T(progressive) * p) * p + T(damping) * rate;
  }
};

// r0 - share p - height atan(steepness p)
struct RollingRadius {
  double radius = 1, share = 1.0 / 3.0, height = 0, steepness = 0;

  template <class T>
  T at(const T& p) const {
    using std::atan;
    T r = T(radius) - T(share) * p;
    if (height != 0.0) r = r - T(height) * atan(T(steepness) * p);
    return r;
  }
};

}  // namespace skyhook::element::tyre
