#include "skyhook/element/rail/wheel_over_plane.h"

#include <limits>

namespace skyhook::element::rail {

Vec3<double> WheelOverPlane::turned(double x, double y, double z) const {
  const double level = turn_.cr * y - turn_.sr * z, across = turn_.sy * x + turn_.cy * level,
               up = turn_.sr * y + turn_.cr * z;
  return {turn_.cy * x - turn_.sy * level, c_ * across + s_ * up, c_ * up - s_ * across};
}

Vec3<double> WheelOverPlane::point(const At& at) const {
  const ProfilePoint<double> p = wheel_.at(at.s);
  const double rho = radius_ - p.z, y = turn_.y - plane_.origin.y, z = -plane_.origin.z;
  const Vec3<double> from{-plane_.origin.x, c_ * y + s_ * z, c_ * z - s_ * y};
  return from + turned(rho * std::sin(at.phi), half_ + p.y, -rho * std::cos(at.phi));
}

double WheelOverPlane::height(double x, double t, At& at) const {
  At now = at;
  for (int pass = 0; pass < 20; ++pass) {
    const ProfileJet<double> p = wheel_.jet(now.s);
    const double rho = radius_ - p.z, sp = std::sin(now.phi), cp = std::cos(now.phi);
    const Vec3<double> here = point(now), by_s = turned(-p.z1 * sp, p.y1, p.z1 * cp),
                       by_phi = turned(rho * cp, 0, rho * sp);
    const double fx = x - here.x, ft = t - here.y, det = by_s.x * by_phi.y - by_phi.x * by_s.y;
    const double ds = (fx * by_phi.y - by_phi.x * ft) / det, dphi = (by_s.x * ft - by_s.y * fx) / det;
    now.s += ds, now.phi += dphi;
    if (!(std::abs(now.s - at.s) < 0.02 && std::abs(now.phi - at.phi) < 0.3)) break;
    if (std::abs(fx) + std::abs(ft) < 1e-12) return at = now, here.z;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace skyhook::element::rail
