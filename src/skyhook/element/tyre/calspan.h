// The lateral tyre of Calspan in the form of the IAVSD road vehicle benchmark [Frik 1993]: no longitudinal force.
#pragma once
#include "skyhook/element/tyre/slip.h"

namespace skyhook::element::tyre {

struct Calspan {
  double a0 = 0, a1 = 0, a2 = 1, a3 = 0, a4 = 1, a_omega = 1;
  double b1 = 0, b3 = 1, b4 = 0, ratio = 1;  // mu = (B1 Fz + B3 + B4 Fz^2) SN
  double af1 = 0, af2 = 0;                   // Mz = (AF1 Fz + AF2 |Fy|) Fy

  static constexpr bool drives = false;
  static constexpr double least =
      0.05;  // of B3: where the parabola of mu would fall below, far beyond its loads, mu stays

  // Of the load: dFy/d alpha where alpha is small, in N/rad; below zero. From A_Omega A2 on it stays as it is there.
  template <class T>
  T stiffness(const T& load) const {
    const T held = value_of(load) > a_omega * a2 ? T(a_omega * a2) : load;
    return T(a1 / a2) * held * (held - T(a2)) - T(a0);
  }

  template <class T>
  ContactForce<T> operator()(const Slip<T>& s) const {
    using std::abs, std::atan;
    const T held = value_of(s.load) > a_omega * a2 ? T(a_omega * a2) : s.load;
    const T k = stiffness(s.load);
    T mu = T(b1) * s.load + T(b3) + T(b4) * s.load * s.load;
    if (value_of(mu) < least * b3) mu = T(least * b3);
    const T most = T(ratio) * s.friction * mu * s.load;
    const T by_camber = T(-a3 / a4) * (T(a4) - held) * held / k * s.camber;
    const T a = k * (atan(s.tan_alpha) + by_camber) / most;
    ContactForce<T> f;
    if (value_of(a) >= 3.0 || value_of(a) <= -3.0)
      f.fy = value_of(a) > 0.0 ? most : -most;
    else
      f.fy = most * a * (T(1.0) - abs(a) / T(3.0) + a * a / T(27.0));
    f.mz = (T(af1) * s.load + T(af2) * abs(f.fy)) * f.fy;
    return f;
  }
};

}  // namespace skyhook::element::tyre
