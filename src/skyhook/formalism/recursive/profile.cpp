#include "skyhook/formalism/recursive/profile.h"

#include <algorithm>
#include <cmath>

namespace skyhook::formalism::recursive {
namespace {

struct Height {
  double h, slope, second;
};

Height height(const model::Curve& profile, double s) {
  using Second = Dual<1, Dual<1>>;
  Second x(Dual<1>::variable(s, 0));
  x.d[0] = Dual<1>(1.0);
  const Second y = profile.at(x);
  return {y.v.v, y.v.d[0], y.d[0].d[0]};
}

// Half the derivative of the squared distance to the point of the curve over s; zero at the foot point.
double pull(const Height& c, double s, const Vec3d& r) { return s - r.x + (c.h - r.z) * c.slope; }

// Where the nearest point lies: no farther to either side than the curve is below, and there by a scan.
double nearest_of_scan(const model::Curve& profile, const Vec3d& r, double reach) {
  constexpr int parts = 16;  // to each side
  double best = r.x, least = reach * reach;
  for (int k = -parts; k <= parts; ++k) {
    const double s = r.x + reach * k / parts, dz = profile.at(s) - r.z, dx = s - r.x;
    if (const double square = dx * dx + dz * dz; square < least) least = square, best = s;
  }
  return best;
}

// Newton's method, bisection where it would leave the bracket or where the curve bends away.
double foot_point(const model::Curve& profile, const Vec3d& r) {
  const double reach = std::abs(profile.at(r.x) - r.z);
  if (reach == 0.0) return r.x;
  double s = nearest_of_scan(profile, r, reach);
  double low = s - reach / 16, high = s + reach / 16;
  for (int k = 0; k < 60; ++k) {
    const Height c = height(profile, s);
    const double f = pull(c, s, r), slope = 1 + c.slope * c.slope + (c.h - r.z) * c.second;
    (f > 0 ? high : low) = s;
    double next = slope > 0 ? s - f / slope : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - s);
    s = next;
    if (step <= 1e-15 * (std::abs(s) + std::abs(r.z) + reach)) break;
  }
  return s;
}

}  // namespace

ProfilePoint nearest_on_profile(const model::Curve& profile, const Vec3d& r) {
  const double s = foot_point(profile, r);
  const Height c = height(profile, s);
  const double length = std::sqrt(1 + c.slope * c.slope), curvature = c.second / (length * length * length);
  const Vec3d normal{-c.slope / length, 0, 1 / length}, tangent{1 / length, 0, c.slope / length};
  const double distance = (r.x - s) * normal.x + (r.z - c.h) * normal.z;
  return {distance, normal, tangent, -curvature / (1 - curvature * distance)};
}

}  // namespace skyhook::formalism::recursive
