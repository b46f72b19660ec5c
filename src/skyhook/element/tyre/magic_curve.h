// The curves of the Magic Formula on plain and on dual numbers. Each is one step of the chain rule: its derivatives cost a product a direction.
#pragma once
#include "skyhook/math/dual.h"

namespace skyhook::element::tyre {

// What depends on camber, load and friction alone carries the directions behind the first two, which are the slips.
template <class T>
struct Unslipped {
  using type = double;
};
template <int N>
  requires(N > 2)
struct Unslipped<Dual<N>> {
  using type = Dual<N - 2>;
};
template <class T>
using unslipped = typename Unslipped<T>::type;

inline double narrow(double x) { return x; }
inline double narrow(const Dual<2>& x) { return x.v; }
template <int N>
  requires(N > 2)
Dual<N - 2> narrow(const Dual<N>& x) {
  Dual<N - 2> out(x.v);
  for (int i = 2; i < N; ++i) out.d[i - 2] = x.d[i];
  return out;
}
template <class T>
T widened(double x) {
  return T(x);
}
template <class T, int N>
T widened(const Dual<N>& x) {
  T out(x.v);
  for (int i = 0; i < N; ++i) out.d[i + 2] = x.d[i];
  return out;
}

inline double chained(double /*x*/, double f, double /*slope*/) { return f; }
template <int N>
Dual<N> chained(const Dual<N>& x, double f, double slope) {
  return x.chain(f, slope);
}

template <class T>
T times(double factor, const T& x) {
  return chained(x, factor * value_of(x), factor);
}
// a + b x, a + b x + c x^2
template <class T>
T line(double a, double b, const T& x) {
  return chained(x, a + b * value_of(x), b);
}
template <class T>
T parabola(double a, double b, double c, const T& x) {
  const double v = value_of(x);
  return chained(x, a + (b + c * v) * v, b + 2.0 * c * v);
}
// cos(atan(x))
template <class T>
T cos_atan(const T& x) {
  const double v = value_of(x), r = 1.0 / std::sqrt(1.0 + v * v);
  return chained(x, r, -v * r * r * r);
}
// sin(c atan(u)), cos(c atan(u))
template <class T>
T sin_atan(double c, const T& u) {
  const double v = value_of(u), angle = c * std::atan(v);
  if constexpr (std::is_same_v<T, double>) return std::sin(angle);
  return chained(u, std::sin(angle), c * std::cos(angle) / (1.0 + v * v));
}
template <class T>
T cos_atan(double c, const T& u) {
  const double v = value_of(u), angle = c * std::atan(v);
  if constexpr (std::is_same_v<T, double>) return std::cos(angle);
  return chained(u, std::cos(angle), -c * std::sin(angle) / (1.0 + v * v));
}

inline double combined(double /*x*/, double /*by_x*/, double /*y*/, double /*by_y*/, double f) { return f; }
template <int N>
Dual<N> combined(const Dual<N>& x, double by_x, const Dual<N>& y, double by_y, double f) {
  Dual<N> out(f);
  for (int i = 0; i < N; ++i) out.d[i] = by_x * x.d[i] + by_y * y.d[i];
  return out;
}
// z - e (z - atan z)
template <class T>
T bent(const T& z, const T& e) {
  const double v = value_of(z), rest = v - std::atan(v), bend = value_of(e);
  return combined(z, 1.0 - bend + bend / (1.0 + v * v), e, -rest, v - bend * rest);
}
// sqrt(x^2 + y^2)
template <class T>
T length(const T& x, const T& y) {
  const double a = value_of(x), b = value_of(y), r = std::sqrt(a * a + b * b + 1e-24);
  return combined(x, a / r, y, b / r, r);
}

}  // namespace skyhook::element::tyre
