// Rotations: matrices map components in the rotated frame to components in the base frame.
#pragma once
#include <array>
#include <cmath>

#include "skyhook/math/vec.h"

namespace skyhook {

// Unit quaternion w, x, y, z.
template <class T>
struct Quaternion {
  T w{1}, x{}, y{}, z{};
};

// Rotation by angle with cosine c and sine s about the unit axis e (Rodrigues).
template <class T>
constexpr Mat3<T> axis_rotation(const Vec3<double>& e, const T& c, const T& s) {
  const T u = T(1) - c;
  const Vec3<T> a(e);
  return {{c + u * a.x * a.x, u * a.x * a.y - s * a.z, u * a.x * a.z + s * a.y},
          {u * a.x * a.y + s * a.z, c + u * a.y * a.y, u * a.y * a.z - s * a.x},
          {u * a.x * a.z - s * a.y, u * a.y * a.z + s * a.x, c + u * a.z * a.z}};
}
inline Mat3d axis_rotation(const Vec3d& e, double angle) { return axis_rotation(e, std::cos(angle), std::sin(angle)); }

// Homogeneous: divides by q·q, so that the matrix is a rotation off the unit sphere too.
template <class T>
constexpr Mat3<T> rotation_of(const Quaternion<T>& q) {
  const T s = T(2) / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const T xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z, xy = s * q.x * q.y, xz = s * q.x * q.z,
          yz = s * q.y * q.z, wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  return {{T(1) - yy - zz, xy - wz, xz + wy}, {xy + wz, T(1) - xx - zz, yz - wx}, {xz - wy, yz + wx, T(1) - xx - yy}};
}

// Rates of the quaternion for angular velocity w in body axes: q' = 1/2 q ∘ (0, w).
template <class T>
constexpr Quaternion<T> quaternion_rate(const Quaternion<T>& q, const Vec3<T>& w) {
  const T h(0.5);
  return {-h * (q.x * w.x + q.y * w.y + q.z * w.z), h * (q.w * w.x + q.y * w.z - q.z * w.y),
          h * (q.w * w.y + q.z * w.x - q.x * w.z), h * (q.w * w.z + q.x * w.y - q.y * w.x)};
}

// Rotation by Cardan angles: x, then the new y, then the new z.
inline Mat3d cardan_rotation(const Vec3d& angles) {
  return axis_rotation({1, 0, 0}, angles.x) * axis_rotation({0, 1, 0}, angles.y) * axis_rotation({0, 0, 1}, angles.z);
}
// The angles of cardan_rotation; the middle one within ±90 degrees.
inline Vec3d cardan_angles(const Mat3d& r) {
  const double sy = std::fmax(-1.0, std::fmin(1.0, r.r0.z));
  if (std::abs(sy) > 1.0 - 1e-14) return {std::atan2(r.r2.y, r.r1.y), std::asin(sy), 0.0};  // gimbal lock: last angle 0
  return {std::atan2(-r.r1.z, r.r2.z), std::asin(sy), std::atan2(-r.r0.y, r.r0.x)};
}

// Away from zero, as the rates of three angles need it where the middle one comes to ±90 degrees.
inline double safe_cosine(double angle) {
  const double c = std::cos(angle);
  return std::abs(c) < 1e-9 ? std::copysign(1e-9, c) : c;
}
// Rates of the Cardan angles for angular velocity w in body axes.
inline Vec3d cardan_angle_rates(const Vec3d& angles, const Vec3d& w) {
  const double s = std::sin(angles.z), c = std::cos(angles.z);
  const double first = (w.x * c - w.y * s) / safe_cosine(angles.y);
  return {first, w.x * s + w.y * c, w.z - first * std::sin(angles.y)};
}

// Yaw, pitch and roll, in this order (ISO 8855): about z, then the new y, then the new x; pitch within ±90 degrees.
inline Vec3d yaw_pitch_roll(const Mat3d& r) {
  const double sy = std::fmax(-1.0, std::fmin(1.0, -r.r2.x));
  if (std::abs(sy) > 1.0 - 1e-14) return {std::atan2(-r.r0.y, r.r1.y), std::asin(sy), 0.0};  // gimbal lock: roll 0
  return {std::atan2(r.r1.x, r.r0.x), std::asin(sy), std::atan2(r.r2.y, r.r2.z)};
}
// Their rates for angular velocity w in body axes.
inline Vec3d yaw_pitch_roll_rates(const Vec3d& angles, const Vec3d& w) {
  const double s = std::sin(angles.z), c = std::cos(angles.z);
  const double yaw = (w.y * s + w.z * c) / safe_cosine(angles.y);
  return {yaw, w.y * c - w.z * s, w.x + yaw * std::sin(angles.y)};
}

// Shepperd's method: the largest of the four components is computed first.
inline Quaternion<double> quaternion_of(const Mat3d& r) {
  const double t = trace(r);
  const std::array<double, 4> size{t, r.r0.x, r.r1.y, r.r2.z};
  int k = 0;
  for (int i = 1; i < 4; ++i) {
    if (size[i] > size[k]) k = i;
  }
  const double s = std::sqrt(k == 0 ? 1.0 + t : 1.0 + 2.0 * size[k] - t), f = 0.5 / s;  // s = 2 |largest component|
  switch (k) {
    case 0: return {0.5 * s, f * (r.r2.y - r.r1.z), f * (r.r0.z - r.r2.x), f * (r.r1.x - r.r0.y)};
    case 1: return {f * (r.r2.y - r.r1.z), 0.5 * s, f * (r.r0.y + r.r1.x), f * (r.r0.z + r.r2.x)};
    case 2: return {f * (r.r0.z - r.r2.x), f * (r.r0.y + r.r1.x), 0.5 * s, f * (r.r1.z + r.r2.y)};
    default: return {f * (r.r1.x - r.r0.y), f * (r.r0.z + r.r2.x), f * (r.r1.z + r.r2.y), 0.5 * s};
  }
}

// q turned further by the rotation vector `d` in body axes: q ⊞ d. Keeps |q|.
inline Quaternion<double> plus(const Quaternion<double>& q, const Vec3d& d) {
  const double half = 0.5 * norm(d), c = std::cos(half), k = half > 1e-8 ? 0.5 * std::sin(half) / half : 0.5;
  const Vec3d e = k * d;
  return {q.w * c - q.x * e.x - q.y * e.y - q.z * e.z, q.w * e.x + q.x * c + q.y * e.z - q.z * e.y,
          q.w * e.y + q.y * c + q.z * e.x - q.x * e.z, q.w * e.z + q.z * c + q.x * e.y - q.y * e.x};
}

}  // namespace skyhook
