// A wheel above a rail, for any scalar and any attitude of the axle ([Arnold 2004] (24), (25); docs/theory/18_rigid_contact.md). The wheel is a
// surface of revolution and the rail a cylinder along x of its frame; so only the direction of the axle counts, never how far the wheel has
// turned. On each circle of the wheel, s of its profile, one point has a normal across the rail, and its angle psi about the axle is known in
// closed form: what is left is a plane curve above another.
//
// All is said of the LEFT wheel; a right one is the same in the mirror, y -> -y.
//
//   a         axle, to the field side;  c  its point in the plane of the tape circle, from the origin of the rail's profile
//   e1, e2    across the axle: along the rail, downward; e2 has no x
//   d = sin(psi) e1 + cos(psi) e2,   P = c + y(s) a + (r0 - z(s)) d,   n = y' d + z' a        point and outer normal of the wheel
//   n_x = 0:  sin(psi) = -z' a_x / (y' |e1_x|)
//   Q(sigma)  the foot of P on the rail, t its tangent, m its normal:  g = m . (P - Q),  h = n . t
#pragma once
#include <cmath>
#include <type_traits>

#include "skyhook/element/rail/profile.h"
#include "skyhook/math/vec.h"

namespace skyhook::element::rail {

// How many times duals are nested: derivatives of that order.
template <class T>
constexpr int order_of = 0;
template <int N, class S>
constexpr int order_of<Dual<N, S>> = 1 + order_of<S>;

// How wheel and rail stand to the frames that they belong to.
struct WheelOnRail {
  ProfilePtr wheel, rail;
  double side = 1;         // +1 left, -1 right
  double radius = 0;       // of the tape circle
  double half = 0;         // from the frame of the wheel along its y (the axle) to the tape circle, to the field side
  double rail_y = 0;       // from the frame of the rail along its y to the origin of the profile, to the field side
  double static_load = 0;  // N, Q0, for the channel `unloading`; 0: it is not known
};

template <class T>
struct Axle {
  Vec3<T> centre, axis, ahead, down;  // c, a, e1, e2
  T length;                           // |e1_x|
};

template <class T>
Vec3<T> mirrored(const WheelOnRail& of, const Vec3<T>& v) {
  return {v.x, T(of.side) * v.y, v.z};
}

// Of the wheel's frame at r, whose y points along `along`, seen from the rail's frame.
template <class T>
Axle<T> axle_along(const WheelOnRail& of, const Vec3<T>& r, const Vec3<T>& along) {
  using std::sqrt;
  Axle<T> out;
  const Vec3<T> a = T(of.side) * mirrored(of, along);
  const T across = a.y * a.y + a.z * a.z;
  out.axis = a, out.length = sqrt(across);
  const T one = T(1.0) / out.length;
  out.ahead = {out.length, -(a.x * a.y * one), -(a.x * a.z * one)};
  out.down = {T(0.0), a.z * one, -(a.y * one)};
  out.centre = mirrored(of, r) + T(of.half) * a;
  out.centre.y = out.centre.y - T(of.rail_y);
  return out;
}

template <class T>
Axle<T> axle_of(const WheelOnRail& of, const Vec3<T>& r, const Mat3<T>& R) {
  return axle_along(of, r, R.column(1));
}

template <class T>
struct WheelPoint {
  Vec3<T> at, normal;  // in the mirror, from the rail's origin; the normal is not of unit length
  T rho;               // from the axle
  ProfileJet<T> profile;
};

template <class T>
WheelPoint<T> point_of_wheel(const WheelOnRail& of, const Axle<T>& axle, const ProfileJet<T>& p, const T& sine,
                             const T& cosine) {
  const Vec3<T> d = sine * axle.ahead + cosine * axle.down;
  const T rho = T(of.radius) - p.z;
  return {axle.centre + p.y * axle.axis + rho * d, p.y1 * d + p.z1 * axle.axis, rho, p};
}

// At the angle psi; where n_x = 0 holds it is the silhouette.
template <class T>
WheelPoint<T> wheel_point(const WheelOnRail& of, const Axle<T>& axle, const T& s, const T& psi) {
  using std::cos, std::sin;
  return point_of_wheel(of, axle, of.wheel->jet(s), sin(psi), cos(psi));
}

// psi eliminated. Where no point of this circle has a normal across the rail (a vertical face of a wheel that yaws) nothing is a number.
template <class T>
WheelPoint<T> silhouette_point(const WheelOnRail& of, const Axle<T>& axle, const T& s) {
  using std::sqrt;
  const ProfileJet<T> p = of.wheel->jet(s);
  const T sine = -(p.z1 * axle.axis.x) / (p.y1 * axle.length);
  return point_of_wheel(of, axle, p, sine, sqrt(T(1.0) - sine * sine));
}

template <class T>
struct RailFoot {
  T sigma;
  ProfileJet<T> profile;
  T length;  // of the tangent (y', z')
};

// Newton's method on numbers, then one pass for each order of derivatives.
template <class T>
RailFoot<T> foot_on_rail(const Profile& rail, const T& y, const T& z) {
  using std::sqrt;
  const double py = value_of(y), pz = value_of(z);
  double sigma = rail.s_at(py), slope = -1;
  for (int pass = 0; pass < 30; ++pass) {
    const ProfileJet<double> q = rail.jet(sigma);
    const double dy = py - q.y, dz = pz - q.z;
    slope = -(q.y1 * q.y1 + q.z1 * q.z1) + dy * q.y2 + dz * q.z2;
    if (!(slope < -0.1)) slope = -1;  // far below the rail: its centre of curvature is passed
    const double step = -(dy * q.y1 + dz * q.z1) / slope;
    sigma += step;
    if (!(std::abs(step) > 1e-15)) break;
  }
  RailFoot<T> out;
  out.sigma = T(sigma);
  for (int pass = 0; pass < order_of<T>; ++pass) {
    const ProfileJet<T> q = rail.jet(out.sigma);
    out.sigma = out.sigma - ((y - q.y) * q.y1 + (z - q.z) * q.z1) * T(1.0 / slope);
  }
  out.profile = rail.jet(out.sigma);
  out.length = sqrt(out.profile.y1 * out.profile.y1 + out.profile.z1 * out.profile.z1);
  return out;
}

// Along the normal of the rail; positive where the wheel is above it.
template <class T>
T distance_of(const WheelPoint<T>& wheel, const RailFoot<T>& foot) {
  const ProfileJet<T>& q = foot.profile;
  return (q.y1 * (wheel.at.z - q.z) - q.z1 * (wheel.at.y - q.y)) / foot.length;
}

// How far the tangents are from being parallel; g' = 0 where it vanishes.
template <class T>
T crossing_of(const WheelPoint<T>& wheel, const RailFoot<T>& foot) {
  return wheel.normal.y * foot.profile.y1 + wheel.normal.z * foot.profile.z1;
}

}  // namespace skyhook::element::rail
