// Slip from motion. With relaxation lengths the contact patch is displaced against the wheel by u ahead and v to the left,
//
//   u' = -V_sx - r u / sigma_x,   v' = -V_sy - r v / sigma_y,   r = |V_x| + hypot(V_sx / l_x, V_sy / l_y)
//
// and kappa = u / sigma_x / (1 - s), tan alpha = -v / sigma_y / (1 - s), s = hypot(u / sigma_x / l_x, v / sigma_y / l_y). In steady
// rolling this is the slip itself, whatever the l are; a patch that slides without rolling is displaced by sigma l at most.
// docs/theory/14_tyres.md (14.6), (14.7).
#pragma once
#include "skyhook/math/dual.h"

namespace skyhook::element::tyre {

struct Relaxation {
  double per_limit_x = 0, per_limit_y = 0;  // 1 / l: stiffness of slip over largest force; 0: never slides
  double damping_time = 0;                  // s, of the displacement where the wheel stands
  double low_speed = 1;                     // m/s, up to where that damps
};

template <class T>
struct Displaced {
  T u, v;
};

template <class T>
T without_kink(const T& x, const T& y) {
  using std::sqrt;
  return sqrt(x * x + y * y + T(1e-18));
}

// V_sx, V_sy: velocity of sliding; V_x of the contact point; c displacements; sigma relaxation lengths.
template <class T>
Displaced<T> rate_of(const Relaxation& of, const T& speed, const Displaced<T>& slide, const Displaced<T>& c,
                     const Displaced<T>& sigma) {
  using std::abs;
  const T sliding = without_kink(T(of.per_limit_x) * slide.u, T(of.per_limit_y) * slide.v);
  const T rolled = abs(speed) + sliding;
  return {-slide.u - rolled * c.u / sigma.u, -slide.v - rolled * c.v / sigma.v};
}

// 1 at standstill, 0 from low_speed on; smooth.
template <class T>
T standing(const Relaxation& of, const T& speed) {
  const T x = speed / T(of.low_speed), left = T(1.0) - x * x;
  return value_of(left) > 0.0 ? left * left * left : T(0.0);
}

// (kappa, tan alpha). `rate` is that of c.
template <class T>
Displaced<T> slip_of(const Relaxation& of, const T& speed, const Displaced<T>& c, const Displaced<T>& rate,
                     const Displaced<T>& sigma) {
  constexpr double most = 0.99;
  const T lead = T(of.damping_time) * standing(of, speed);
  const T x = (c.u + lead * rate.u) / sigma.u, y = (c.v + lead * rate.v) / sigma.v;
  const T s = without_kink(T(of.per_limit_x) * x, T(of.per_limit_y) * y);
  // Beyond `most` its tangent: trial steps may leave the circle.
  constexpr double per_rest = 1.0 / (1.0 - most);
  const T stretch = value_of(s) < most ? T(1.0) / (T(1.0) - s) : T(per_rest) + T(per_rest * per_rest) * (s - T(most));
  return {x * stretch, -y * stretch};
}

// Without relaxation: the same two from the velocities at once. |V_x| is exact from low_speed on, and never less than half of it.
template <class T>
Displaced<T> slip_at_once(const T& speed, const Displaced<T>& slide, double low_speed) {
  using std::abs;
  const T size = abs(speed);
  const T way = value_of(size) >= low_speed ? size : T(0.5 / low_speed) * (speed * speed + T(low_speed * low_speed));
  return {-slide.u / way, slide.v / way};
}

}  // namespace skyhook::element::tyre
