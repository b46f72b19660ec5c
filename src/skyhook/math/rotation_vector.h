// Rotation vectors: q ⊞ d turns q further by |d| about d in body axes (rotation.h). While d changes at the rate u, the
// angular velocity in body axes is w = J(d) u with
//
//   J(d) = 1 - a [d]x + b [d]x^2,   a = (1 - cos|d|) / |d|^2,   b = (|d| - sin|d|) / |d|^3,
//
// the right differential of the exponential map (Hairer, Lubich, Wanner, Geometric Numerical Integration, III.4);
// regular for |d| < 2 pi.
#pragma once
#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"

namespace skyhook {

// J(d) u. Its transpose is J(-d).
template <class T>
Vec3<T> angular_velocity(const Vec3<T>& d, const Vec3<T>& u) {
  using std::cos, std::sin, std::sqrt;
  const T s = dot(d, d);
  T a, b;
  if (value_of(s) < 0.01) {  // series: the terms left out are below 1e-19
    a = T(1. / 2) - s * (T(1. / 24) - s * (T(1. / 720) - s * (T(1. / 40320) - s * T(1. / 3628800))));
    b = T(1. / 6) - s * (T(1. / 120) - s * (T(1. / 5040) - s * (T(1. / 362880) - s * T(1. / 39916800))));
  } else {
    const T angle = sqrt(s);
    a = (T(1) - cos(angle)) / s;
    b = (angle - sin(angle)) / (angle * s);
  }
  const Vec3<T> c = cross(d, u);
  return u - a * c + b * cross(d, c);
}

// J(d)^-1 w: the rate of d.
inline Vec3d rotation_vector_rate(const Vec3d& d, const Vec3d& w) {
  const double s = dot(d, d), half = 0.5 * std::sqrt(s);
  const double k = s < 0.01 ? 1. / 12 + s * (1. / 720 + s * (1. / 30240 + s * (1. / 1209600 + s / 47900160)))
                            : (1 - half / std::tan(half)) / s;
  const Vec3d c = cross(d, w);
  return w + 0.5 * c + k * cross(d, c);
}

// The second derivative of d for its rate u and the angular acceleration: w' = J d'' + J' u.
inline Vec3d rotation_vector_acceleration(const Vec3d& d, const Vec3d& u, const Vec3d& w_dot) {
  using D = Dual<1>;
  Vec3<D> moving(d);
  for (int k = 0; k < 3; ++k) moving[k].d[0] = u[k];
  const Vec3<D> w = angular_velocity(moving, Vec3<D>(u));
  return rotation_vector_rate(d, w_dot - Vec3d{w.x.d[0], w.y.d[0], w.z.d[0]});
}

}  // namespace skyhook
