// The tyre of Fiala (1954): a brush whose pressure is a parabola. Combined slip as of [Pacejka 2012] chapter 3, so that the force
// never exceeds friction. It points against sliding where both stiffnesses are equal, else along their products with the slips.
#pragma once
#include "skyhook/element/tyre/slip.h"

namespace skyhook::element::tyre {

struct Fiala {
  double slip_stiffness = 0, cornering_stiffness = 0, camber_stiffness = 0;  // N, N/rad, N/rad
  double friction = 1, friction_far = 1;  // at no slip and at slip 1, straight in between
  double trail = 0;                       // m, at small slip
  double rolling_resistance = 0;          // m, My = -this times the load

  static constexpr bool drives = true;

  template <class T>
  ContactForce<T> operator()(const Slip<T>& s) const {
    using std::sqrt;
    const T slid = sqrt(s.kappa * s.kappa + s.tan_alpha * s.tan_alpha + T(1e-24));
    const T way = value_of(slid) < 1.0 ? slid : T(1.0);
    const T most = s.friction * (T(friction) - T(friction - friction_far) * way) * s.load;
    const T x = T(slip_stiffness) * s.kappa, y = T(cornering_stiffness) * s.tan_alpha + T(camber_stiffness) * s.camber;
    const T size = sqrt(x * x + y * y + T(1e-24));
    const T a = size / (T(3.0) * most);  // 1: all of it slides
    ContactForce<T> f;
    const bool slides = value_of(a) >= 1.0;
    const T share = slides ? most / size : T(1.0) - a + a * a / T(3.0);
    f.fx = share * x, f.fy = -share * y;
    if (!slides) {
      const T left = T(1.0) - a;
      f.mz = T(trail) * left * left * left * y;
    }
    f.my = T(-rolling_resistance) * s.load;
    return f;
  }
};

}  // namespace skyhook::element::tyre
