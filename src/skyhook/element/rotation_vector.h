// The rotation vector phi = log R and how its rate depends on the angular velocity: phi' = J(phi) w with w in the
// base axes, where R' = [w]x R. J is the inverse of the left Jacobian of SO(3) (Sola, Deray, Atchuthan 2018,
// "A micro Lie theory", eq. 146). Smooth for duals at phi = 0; good up to an angle of pi, where phi jumps.
#pragma once
#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"

namespace skyhook::element {

// Half-angle quantities: cosine, and sine times the axis (a unit quaternion with positive real part).
template <class T>
struct HalfAngle {
  T c;
  Vec3<T> s;
};

// Shepperd: divides by the largest component, so that it is smooth everywhere but at an angle of pi.
template <class T>
HalfAngle<T> half_angle(const Mat3<T>& R) {
  using std::sqrt;
  const T t = trace(R);
  int k = 0;
  for (int i = 1; i < 3; ++i) {
    if (R[i][i] > R[k][k]) k = i;
  }
  const Vec3<T> difference{R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};  // 4 c s
  if (value_of(t) >= value_of(R[k][k])) {
    const T c = T(0.5) * sqrt(T(1.0) + t);
    return {c, (T(0.25) / c) * difference};
  }
  const T sk = T(0.5) * sqrt(T(1.0) + T(2.0) * R[k][k] - t), f = T(0.25) / sk;
  Vec3<T> s;
  for (int i = 0; i < 3; ++i) s[i] = i == k ? sk : f * (R[i][k] + R[k][i]);
  const T c = f * difference[k];
  return value_of(c) < 0.0 ? HalfAngle<T>{-c, -s} : HalfAngle<T>{c, s};
}

template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R) {
  using std::atan2, std::sqrt;
  const HalfAngle<T> h = half_angle(R);
  const T y = dot(h.s, h.s);
  if (value_of(y) < 1e-4) {  // 2 asin(sqrt y) / sqrt y by its series; the next term is below 1e-21
    const T g = T(1.0) + y * (T(1.0 / 6) + y * (T(3.0 / 40) + y * (T(5.0 / 112) + y * T(35.0 / 1152))));
    return (T(2.0) * g) * h.s;
  }
  const T sine = sqrt(y);
  return (T(2.0) * atan2(sine, h.c) / sine) * h.s;
}

// (1 - (th/2) cot(th/2)) / th^2 as a function of x = th^2
template <class T>
T cotangent_coefficient(const T& x) {
  using std::sqrt, std::tan;
  if (value_of(x) < 0.05) {  // the closed form cancels here; the next term is below 2e-16
    return T(1.0 / 12) + x * (T(1.0 / 720) + x * (T(1.0 / 30240) + x * (T(1.0 / 1209600) + x * T(1.0 / 47900160))));
  }
  const T half = T(0.5) * sqrt(x);
  return (T(1.0) - half / tan(half)) / x;
}

// J(phi)^T k = k + 1/2 phi x k + b phi x (phi x k): turns the gradient k of an energy U(phi) into that for rotations,
// dU/dt = k . phi' = (J^T k) . w.
template <class T>
Vec3<T> gradient_for_rotation(const Vec3<T>& phi, const Vec3<T>& k) {
  const Vec3<T> once = cross(phi, k);
  return k + T(0.5) * once + cotangent_coefficient(dot(phi, phi)) * cross(phi, once);
}

}  // namespace skyhook::element
