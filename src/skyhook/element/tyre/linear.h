// A tyre whose forces are proportional to the slips; with friction they bend towards friction times load.
#pragma once
#include "skyhook/element/tyre/slip.h"

namespace skyhook::element::tyre {

struct Linear {
  double slip_stiffness = 0;       // N
  double cornering_stiffness = 0;  // N/rad
  double camber_stiffness = 0;     // N/rad
  double trail = 0;                // m
  double friction = 0;             // 0: no limit

  static constexpr bool drives = true;

  template <class T>
  ContactForce<T> operator()(const Slip<T>& s) const {
    using std::atan, std::sqrt;
    ContactForce<T> f;
    f.fx = T(slip_stiffness) * s.kappa;
    f.fy = T(-cornering_stiffness) * atan(s.tan_alpha) - T(camber_stiffness) * s.camber;
    if (friction > 0.0) {
      const T most = T(friction) * s.friction * s.load;
      const T square = (f.fx * f.fx + f.fy * f.fy) / (most * most);
      const T bend = T(1.0) / sqrt(sqrt(T(1.0) + square * square));
      f.fx = bend * f.fx, f.fy = bend * f.fy;
    }
    f.mz = T(-trail) * f.fy;
    return f;
  }
};

}  // namespace skyhook::element::tyre
