// The tyre as a spring, and the way per angle of a free wheel, both over the deflection p: what is missing to the free radius.
#pragma once
#include "skyhook/math/dual.h"

namespace skyhook::element::tyre {

// Elastic force (k + k2 p + k lean gamma^2) p (1 + stiffening |spin|); the free radius grows with the square of the spin.
struct Vertical {
  double radius = 1, stiffness = 1, progressive = 0, damping = 0;
  double growth = 0;      // m s^2
  double stiffening = 0;  // s
  double lean = 0;

  template <class T>
  T free_radius(const T& spin) const {
    return growth == 0.0 ? T(radius) : T(radius) + T(growth) * spin * spin;
  }
  template <class T>
  T elastic(const T& p, const T& spin, const T& camber) const {
    using std::abs;
    T k = T(stiffness) + T(progressive) * p;
    if (lean != 0.0) k = k + T(stiffness * lean) * camber * camber;
    if (stiffening != 0.0) k = k * (T(1.0) + T(stiffening) * abs(spin));
    return k * p;
  }
  bool is_linear() const { return progressive == 0.0 && stiffening == 0.0 && lean == 0.0; }
};

// r0 - share p - height atan(steepness p), p as of a linear spring under the same load.
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
