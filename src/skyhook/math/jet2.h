// A quantity with its first and second derivative in time, for motions prescribed as functions of time.
#pragma once
#include "skyhook/math/dual.h"

namespace skyhook {

// The outer and the inner dual differentiate with respect to the same variable, the time.
using Jet2 = Dual<1, Dual<1>>;

inline Jet2 jet2(double value, double rate, double acceleration) {
  Jet2 r;
  r.v.v = value;
  r.v.d[0] = rate;
  r.d[0].v = rate;
  r.d[0].d[0] = acceleration;
  return r;
}
// The time itself: rate 1, acceleration 0.
inline Jet2 at_time(double t) { return jet2(t, 1.0, 0.0); }

inline double value(const Jet2& a) { return a.v.v; }
inline double rate(const Jet2& a) { return a.v.d[0]; }
inline double acceleration(const Jet2& a) { return a.d[0].d[0]; }

}  // namespace skyhook
