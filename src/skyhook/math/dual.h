// Forward-mode automatic differentiation with N derivatives kept on the stack. Dual<N> carries a value and
// its gradient with respect to N seeded variables; all operators follow the chain rule. Nests (Dual<1, Dual<1>>).
#pragma once
#include <array>
#include <cmath>

namespace skyhook {

template <int N, class S = double>
struct Dual {
  S v{};
  std::array<S, N> d{};

  constexpr Dual() = default;
  constexpr Dual(double value) : v(value) {}  // NOLINT: constants mix freely with duals
  constexpr Dual(const S& value)
    requires(!std::is_same_v<S, double>)
      : v(value) {}
  // The variable number k with value `value`.
  static constexpr Dual variable(const S& value, int k) {
    Dual r(value);
    r.d[k] = S(1.0);
    return r;
  }
  // f(v) with derivative fv, chain rule applied
  constexpr Dual chain(const S& f, const S& fv) const {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.d[i] = fv * d[i];
    return r;
  }
  constexpr Dual& operator+=(const Dual& b) {
    v += b.v;
    for (int i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  constexpr Dual& operator-=(const Dual& b) {
    v -= b.v;
    for (int i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend constexpr Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend constexpr Dual operator-(const Dual& a) { return a.chain(-a.v, S(-1.0)); }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.v * b.v);
    for (int i = 0; i < N; ++i) r.d[i] = a.v * b.d[i] + b.v * a.d[i];
    return r;
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const S inverse = S(1.0) / b.v;
    Dual r(a.v * inverse);
    for (int i = 0; i < N; ++i) r.d[i] = (a.d[i] - r.v * b.d[i]) * inverse;
    return r;
  }
  friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }

  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const S r = sqrt(a.v);
    return a.chain(r, S(0.5) / r);
  }
  friend Dual sin(const Dual& a) {
    using std::cos, std::sin;
    return a.chain(sin(a.v), cos(a.v));
  }
  friend Dual cos(const Dual& a) {
    using std::cos, std::sin;
    return a.chain(cos(a.v), -sin(a.v));
  }
  friend Dual tan(const Dual& a) {
    using std::tan;
    const S r = tan(a.v);
    return a.chain(r, S(1.0) + r * r);
  }
  friend Dual asin(const Dual& a) {
    using std::asin, std::sqrt;
    return a.chain(asin(a.v), S(1.0) / sqrt(S(1.0) - a.v * a.v));
  }
  friend Dual acos(const Dual& a) {
    using std::acos, std::sqrt;
    return a.chain(acos(a.v), S(-1.0) / sqrt(S(1.0) - a.v * a.v));
  }
  friend Dual atan(const Dual& a) {
    using std::atan;
    return a.chain(atan(a.v), S(1.0) / (S(1.0) + a.v * a.v));
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    Dual r(atan2(y.v, x.v));
    const S inverse = S(1.0) / (x.v * x.v + y.v * y.v);
    for (int i = 0; i < N; ++i) r.d[i] = (x.v * y.d[i] - y.v * x.d[i]) * inverse;
    return r;
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const S r = exp(a.v);
    return a.chain(r, r);
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return a.chain(log(a.v), S(1.0) / a.v);
  }
  friend Dual tanh(const Dual& a) {
    using std::tanh;
    const S r = tanh(a.v);
    return a.chain(r, S(1.0) - r * r);
  }
  friend Dual abs(const Dual& a) { return a.v < S(0.0) ? -a : a; }
};

// The plain value inside any scalar.
inline double value_of(double a) { return a; }
template <int N, class S>
double value_of(const Dual<N, S>& a) {
  return value_of(a.v);
}

}  // namespace skyhook
