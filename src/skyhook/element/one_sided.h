// What stops and contacts share: a push that grows with a power of the compression, and damping as a factor.
#pragma once
#include "skyhook/expression/scalar_functions.h"
#include "skyhook/math/dual.h"

namespace skyhook::element {

// z + sqrt(1 + z^2): 1 and slope 1 at rest, positive for all z, so that damping never turns the force into a pull.
template <class T>
T speed_factor(const T& z) {
  using std::sqrt;
  const T root = sqrt(T(1.0) + z * z);
  return value_of(z) < 0.0 ? T(1.0) / (root - z) : root + z;  // the same, without cancellation
}

// u^n, and its negative for -u: it goes on smoothly through zero, as a law does that is held a little beyond its end.
template <class T>
T odd_power(const T& u, double n) {
  return value_of(u) < 0.0 ? T(-expression::power(T(-u), n)) : expression::power(u, n);
}

struct Compliance {
  double stiffness = 0, depth = 1, exponent = 1, damping = 0;

  // p compression, v its speed. Damping as a factor (Hunt and Crossley 1975): no force at first touch.
  template <class T>
  T push(const T& p, const T& v) const {
    return T(stiffness * depth) * odd_power(T(p / T(depth)), exponent) * speed_factor(T(T(damping) * v));
  }
  // Stored under compression.
  double energy(double p) const {
    return p > 0.0 ? stiffness * depth * depth / (exponent + 1.0) * expression::power(p / depth, exponent + 1.0) : 0.0;
  }
};

}  // namespace skyhook::element
