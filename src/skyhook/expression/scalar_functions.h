// The functions of the expression language on any scalar: double, Dual, Jet2, Lanes.
//
// Derivatives at kinks. min, max, clamp, ?: and if take the derivative of the branch chosen (at a tie of min and max:
// the first argument). sign, step, floor, ceil and round are flat. Where the true derivative is infinite or undefined
// it is taken as 0, so that a Jacobian stays finite: abs, sqrt, hypot and atan2 at 0, asin and acos at +-1, x^p with
// p < 1 at 0 (not for p < 0, where the value itself is infinite).
#pragma once
#include <cmath>
#include <numbers>

#include "skyhook/math/dual.h"
#include "skyhook/math/lanes.h"

namespace skyhook::expression {

inline double without_derivative(double x) { return x; }
inline Lanes without_derivative(const Lanes& x) { return x; }
template <int N, class S>
Dual<N, S> without_derivative(const Dual<N, S>& x) {
  return Dual<N, S>(value_of(x));
}

// y, its derivative set to zero where `singular`
template <class T, class Mask>
T flat_where(const Mask& singular, const T& y) {
  return select(singular, without_derivative(y), y);
}

// What Dual lacks: f(v) and f'(v) by the same functions one level down.
using std::ceil, std::cosh, std::floor, std::log10, std::pow, std::round, std::sinh;
template <int N, class S>
Dual<N, S> floor(const Dual<N, S>& x) {
  return Dual<N, S>(std::floor(value_of(x)));
}
template <int N, class S>
Dual<N, S> ceil(const Dual<N, S>& x) {
  return Dual<N, S>(std::ceil(value_of(x)));
}
template <int N, class S>
Dual<N, S> round(const Dual<N, S>& x) {
  return Dual<N, S>(std::round(value_of(x)));
}
template <int N, class S>
Dual<N, S> cosh(const Dual<N, S>& x);
template <int N, class S>
Dual<N, S> sinh(const Dual<N, S>& x) {
  return x.chain(sinh(x.v), cosh(x.v));
}
template <int N, class S>
Dual<N, S> cosh(const Dual<N, S>& x) {
  return x.chain(cosh(x.v), sinh(x.v));
}
template <int N, class S>
Dual<N, S> log10(const Dual<N, S>& x) {
  return x.chain(log10(x.v), S(1.0 / std::numbers::ln10) / x.v);
}

// x^p with p known when the expression is compiled
inline double power(double x, double p) {
  if (p == 2.0) return x * x;
  if (p == 3.0) return x * x * x;
  return std::pow(x, p);
}
inline Lanes power(const Lanes& x, double p) {
  if (p == 2.0) return x * x;
  if (p == 3.0) return x * x * x;
  return map(x, [p](double a) { return std::pow(a, p); });
}
template <int N, class S>
Dual<N, S> power(const Dual<N, S>& x, double p) {
  if (p == 0.0) return Dual<N, S>(1.0);
  const Dual<N, S> y = x.chain(power(x.v, p), S(p) * power(x.v, p - 1.0));
  return p > 0.0 && p < 1.0 ? flat_where(value_of(x) == 0.0, y) : y;
}

// x^p with p varying. A negative x has a real power for whole p only: no derivative with respect to p there.
template <class T>
T power_varying(const T& x, const T& p) {
  return pow(x, p);
}
template <int N, class S>
Dual<N, S> power_varying(const Dual<N, S>& x, const Dual<N, S>& p) {
  Dual<N, S> r(power_varying(x.v, p.v));
  const bool singular = value_of(x) == 0.0 && value_of(p) < 1.0;
  const S by_x = singular ? S(0.0) : p.v * power_varying(x.v, p.v - S(1.0));
  using std::log;
  const S by_p = value_of(x) > 0.0 ? r.v * log(x.v) : S(0.0);
  for (int i = 0; i < N; ++i) r.d[i] = by_x * x.d[i] + by_p * p.d[i];
  return r;
}

template <class T>
T absolute(const T& x) {
  using std::abs;
  return flat_where(x == T(0.0), T(abs(x)));
}
template <class T>
T square_root(const T& x) {
  using std::sqrt;
  return flat_where(x == T(0.0), T(sqrt(x)));
}
template <class T>
T arc_sine(const T& x) {
  using std::asin;
  return flat_where(x * x == T(1.0), T(asin(x)));
}
template <class T>
T arc_cosine(const T& x) {
  using std::acos;
  return flat_where(x * x == T(1.0), T(acos(x)));
}
template <class T>
T arc_tangent(const T& y, const T& x) {
  using std::atan2;
  return flat_where(both(x == T(0.0), y == T(0.0)), T(atan2(y, x)));
}
template <class T>
T hypotenuse(const T& x, const T& y) {
  return square_root(T(x * x + y * y));
}
template <class T>
T sign(const T& x) {
  return select(x > T(0.0), T(1.0), select(x < T(0.0), T(-1.0), T(0.0)));
}
template <class T>
T step(const T& x) {
  return select(x < T(0.0), T(0.0), T(1.0));
}
// A NaN in either argument comes through: std::min would hide one of them.
template <class T>
T minimum(const T& a, const T& b) {
  return select(a <= b, a, select(a == a, b, a));
}
template <class T>
T maximum(const T& a, const T& b) {
  return select(a >= b, a, select(a == a, b, a));
}
template <class T>
T clamp(const T& x, const T& low, const T& high) {
  return minimum(maximum(x, low), high);
}
// Has the sign of b, so that mod(x, 1) is a sawtooth without a break at 0.
template <class T>
T modulo(const T& a, const T& b) {
  return a - b * floor(T(a / b));
}
// 10 u^3 - 15 u^4 + 6 u^5 with u from 0 at x0 to 1 at x1: first and second derivative vanish at both ends.
template <class T>
T ramp(const T& x, const T& x0, const T& x1) {
  const T u = (x - x0) / (x1 - x0);
  const T blend = u * u * u * (T(10.0) + u * (T(-15.0) + T(6.0) * u));
  return select(u <= T(0.0), T(0.0), select(u >= T(1.0), T(1.0), blend));
}

}  // namespace skyhook::expression
