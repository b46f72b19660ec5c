// What a rail sees of a wheel. The wheel is a surface of revolution, the rail a cylinder along x; so at a contact the normal of the wheel has no
// x. On each circle of the wheel (each s of its profile) one point has such a normal: the points together are the silhouette of the
// wheel, seen along the rail. Contact of the bodies is contact of two plane curves, this one and the profile of the rail: one variable each.
//
// All is said of the LEFT wheel, in axes of the track (x ahead, y left, z up); a right one is the same in the mirror: y, roll and yaw change sign.
//
//   P = (rho sin phi, b + eta, -rho cos phi)   in axes of the wheelset, rho = r0 - zeta, (eta, zeta) the profile
//   n = (eta' sin phi, zeta', -eta' cos phi)   its outer normal, not of unit length
//   R = Rz(yaw) Rx(roll),   (R n)_x = 0   gives   sin(phi - phi0) = sin(yaw) cos(roll) zeta' / (eta' N),
//   tan phi0 = tan(yaw) sin(roll),   N^2 = cos^2(yaw) + sin^2(yaw) sin^2(roll)
#pragma once
#include <cmath>

#include "skyhook/element/rail/profile.h"
#include "skyhook/math/vec.h"

namespace skyhook::element::rail {

// Where the middle of the axle is, seen from the track, without its height.
struct AxlePlace {
  double y = 0, roll = 0, yaw = 0;  // m, rad, rad: first yaw about z, then roll about the x that has turned
  AxlePlace mirrored() const { return {-y, -roll, -yaw}; }
};

// Sines and cosines of a place.
struct AxleTurn {
  explicit AxleTurn(const AxlePlace& at)
      : y(at.y), cr(std::cos(at.roll)), sr(std::sin(at.roll)), cy(std::cos(at.yaw)), sy(std::sin(at.yaw)) {
    const double N = std::sqrt(cy * cy + sy * sy * sr * sr);
    s0 = sy * sr / N, c0 = cy / N, ratio = sy * cr / N;
  }
  double y, cr, sr, cy, sy;
  double s0, c0, ratio;  // sin phi0, cos phi0, sin(yaw) cos(roll) / N
};

template <class T>
struct SilhouettePoint {
  Vec3<T> at;    // in axes of the track, from the middle of the axle but for its y: at.z + height of the axle is z
  T ny, nz;      // outer normal, in the plane across the track, not of unit length
  T sine;        // of phi
  bool is_seen;  // false: no point of this circle has a normal across the track (a vertical face of a wheel that yaws)
};

// `half`: of the distance of the tape circles; `radius` of these.
template <class T>
SilhouettePoint<T> silhouette(const ProfileJet<T>& p, const AxleTurn& turn, double half, double radius) {
  using std::sqrt;
  SilhouettePoint<T> out{};
  const T sine = T(turn.ratio) * p.z1 / p.y1;
  out.is_seen = value_of(p.y1) > 0 && std::abs(value_of(sine)) < 1;
  if (!out.is_seen) return out;
  const T cosine = sqrt(T(1.0) - sine * sine);
  const T sp = T(turn.s0) * cosine + T(turn.c0) * sine, cp = T(turn.c0) * cosine - T(turn.s0) * sine;
  const auto to_track = [&](const T& x, const T& y, const T& z) {
    const T across = T(turn.cr) * y - T(turn.sr) * z;
    return Vec3<T>{T(turn.cy) * x - T(turn.sy) * across, T(turn.sy) * x + T(turn.cy) * across,
                   T(turn.sr) * y + T(turn.cr) * z};
  };
  const T rho = T(radius) - p.z;
  out.at = to_track(rho * sp, T(half) + p.y, -rho * cp);
  out.at.y = out.at.y + T(turn.y);
  const Vec3<T> n = to_track(p.y1 * sp, p.z1, -(p.y1 * cp));
  out.ny = n.y, out.nz = n.z, out.sine = sp;
  return out;
}

}  // namespace skyhook::element::rail
