// Oil in chambers and through orifices. Pressures are above that of the air.
#pragma once
#include <cmath>

namespace skyhook::element {

// Flow per area of the orifice, in m/s: turbulent, Q / A = cd sqrt(2 dp / rho), above the pressure `laminar`, and linear in dp
// far below it, so that the slope at 0 is finite:
//
//   Q / A = cd sqrt(2 / rho) dp / (dp^2 + laminar^2)^(1/4)
struct Orifice {
  double discharge, density, laminar;

  template <class T>
  T flow(const T& dp) const {
    using std::sqrt;
    return T(discharge * std::sqrt(2 / density)) * dp / sqrt(sqrt(dp * dp + T(laminar * laminar)));
  }
};

// Oil of bulk modulus E in a volume V0 + area x; p' = (E / V) (what flows in - area x'). The volume is kept above a twentieth of
// V0: there the piston stands at the end of its stroke.
struct Chamber {
  double modulus, volume, area;

  template <class T>
  T pressure_rate(const T& x, const T& v, const T& inflow) const {
    T now = T(volume) + T(area) * x;
    if (now < T(0.05 * volume)) now = T(0.05 * volume);
    return T(modulus) / now * (inflow - T(area) * v);
  }
};

}  // namespace skyhook::element
