// Four doubles that go through the same formula at once: one AVX register, or two SSE ones where the compiler has no
// AVX. Results equal those of four doubles bit for bit, save where the compiler contracts a*b + c differently.
// A law that serves double, Dual and Lanes writes select(x < 0, a, b) instead of branching.
// All files that use Lanes must be compiled with the same -m flags: they change how a Lanes is passed.
#pragma once
#include <cmath>

namespace skyhook {

struct LaneMask {
  using Bits = long long __attribute__((vector_size(32)));
  Bits bits{};  // all ones where true

  bool operator[](int i) const { return bits[i] != 0; }
  friend LaneMask operator&(const LaneMask& a, const LaneMask& b) { return {a.bits & b.bits}; }
  friend LaneMask operator|(const LaneMask& a, const LaneMask& b) { return {a.bits | b.bits}; }
  friend LaneMask operator!(const LaneMask& a) { return {~a.bits}; }
  friend bool any(const LaneMask& a) { return (a.bits[0] | a.bits[1] | a.bits[2] | a.bits[3]) != 0; }
  friend bool all(const LaneMask& a) { return (a.bits[0] & a.bits[1] & a.bits[2] & a.bits[3]) != 0; }
};

struct Lanes {
  using Register = double __attribute__((vector_size(32)));
  static constexpr int count = 4;
  Register v{};

  Lanes() = default;
  Lanes(double a) : v{a, a, a, a} {}  // NOLINT: constants mix freely with lanes
  Lanes(double a, double b, double c, double d) : v{a, b, c, d} {}
  explicit Lanes(const Register& r) : v(r) {}

  // Of four neighbours in memory, wherever they begin.
  static Lanes load(const double* from) {
    Lanes out;
    __builtin_memcpy(&out.v, from, sizeof(out.v));
    return out;
  }
  void store(double* to) const { __builtin_memcpy(to, &v, sizeof(v)); }

  double operator[](int i) const { return v[i]; }
  void set(int i, double a) { v[i] = a; }

  Lanes& operator+=(const Lanes& b) { return v += b.v, *this; }
  Lanes& operator-=(const Lanes& b) { return v -= b.v, *this; }
  Lanes& operator*=(const Lanes& b) { return v *= b.v, *this; }
  Lanes& operator/=(const Lanes& b) { return v /= b.v, *this; }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }

  friend LaneMask operator<(const Lanes& a, const Lanes& b) { return {LaneMask::Bits(a.v < b.v)}; }
  friend LaneMask operator>(const Lanes& a, const Lanes& b) { return {LaneMask::Bits(a.v > b.v)}; }
  friend LaneMask operator<=(const Lanes& a, const Lanes& b) { return {LaneMask::Bits(a.v <= b.v)}; }
  friend LaneMask operator>=(const Lanes& a, const Lanes& b) { return {LaneMask::Bits(a.v >= b.v)}; }
  // constexpr, or clang refuses the defaulted == of a struct of lanes such as Vec3<Lanes>
  friend constexpr LaneMask operator==(const Lanes& a, const Lanes& b) { return {LaneMask::Bits(a.v == b.v)}; }
  friend LaneMask operator!=(const Lanes& a, const Lanes& b) { return {LaneMask::Bits(a.v != b.v)}; }
};

// c ? a : b, lane by lane. What is not chosen may be NaN or infinite.
inline Lanes select(const LaneMask& c, const Lanes& a, const Lanes& b) {
  const auto bits = (c.bits & LaneMask::Bits(a.v)) | (~c.bits & LaneMask::Bits(b.v));
  return Lanes(Lanes::Register(bits));
}
// The same for double and Dual, so that a templated law reads alike for all scalars.
template <class T>
constexpr T select(bool c, const T& a, const T& b) {
  return c ? a : b;
}
constexpr bool both(bool a, bool b) { return a && b; }
constexpr bool either(bool a, bool b) { return a || b; }
inline LaneMask both(const LaneMask& a, const LaneMask& b) { return a & b; }
inline LaneMask either(const LaneMask& a, const LaneMask& b) { return a | b; }
constexpr bool any(bool c) { return c; }
constexpr bool all(bool c) { return c; }

// f(a) lane by lane, for functions without a vector instruction
template <class F>
Lanes map(const Lanes& a, F f) {
  return {f(a[0]), f(a[1]), f(a[2]), f(a[3])};
}
template <class F>
Lanes map(const Lanes& a, const Lanes& b, F f) {
  return {f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])};
}

inline Lanes sqrt(const Lanes& a) {
#if defined(__AVX__) && __has_builtin(__builtin_ia32_sqrtpd256)
  return Lanes(Lanes::Register(__builtin_ia32_sqrtpd256(a.v)));  // without <immintrin.h>: a second in every file
#else
  return map(a, [](double x) { return std::sqrt(x); });
#endif
}
inline Lanes abs(const Lanes& a) {
  constexpr long long magnitude = 0x7fffffffffffffffLL;
  return Lanes(Lanes::Register(LaneMask::Bits(a.v) & LaneMask::Bits{magnitude, magnitude, magnitude, magnitude}));
}
inline Lanes min(const Lanes& a, const Lanes& b) { return select(b < a, b, a); }  // as std::min
inline Lanes max(const Lanes& a, const Lanes& b) { return select(a < b, b, a); }

inline Lanes sin(const Lanes& a) {
  return map(a, [](double x) { return std::sin(x); });
}
inline Lanes cos(const Lanes& a) {
  return map(a, [](double x) { return std::cos(x); });
}
inline Lanes tan(const Lanes& a) {
  return map(a, [](double x) { return std::tan(x); });
}
inline Lanes asin(const Lanes& a) {
  return map(a, [](double x) { return std::asin(x); });
}
inline Lanes acos(const Lanes& a) {
  return map(a, [](double x) { return std::acos(x); });
}
inline Lanes atan(const Lanes& a) {
  return map(a, [](double x) { return std::atan(x); });
}
inline Lanes sinh(const Lanes& a) {
  return map(a, [](double x) { return std::sinh(x); });
}
inline Lanes cosh(const Lanes& a) {
  return map(a, [](double x) { return std::cosh(x); });
}
inline Lanes tanh(const Lanes& a) {
  return map(a, [](double x) { return std::tanh(x); });
}
inline Lanes exp(const Lanes& a) {
  return map(a, [](double x) { return std::exp(x); });
}
inline Lanes log(const Lanes& a) {
  return map(a, [](double x) { return std::log(x); });
}
inline Lanes log10(const Lanes& a) {
  return map(a, [](double x) { return std::log10(x); });
}
inline Lanes floor(const Lanes& a) {
  return map(a, [](double x) { return std::floor(x); });
}
inline Lanes ceil(const Lanes& a) {
  return map(a, [](double x) { return std::ceil(x); });
}
inline Lanes round(const Lanes& a) {
  return map(a, [](double x) { return std::round(x); });
}
inline Lanes atan2(const Lanes& y, const Lanes& x) {
  return map(y, x, [](double b, double a) { return std::atan2(b, a); });
}
inline Lanes pow(const Lanes& a, const Lanes& b) {
  return map(a, b, [](double x, double y) { return std::pow(x, y); });
}

}  // namespace skyhook
