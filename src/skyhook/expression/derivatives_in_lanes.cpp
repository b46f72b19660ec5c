// clang-format off: run() names power() with its namespace, so that what it shall find must stand before it
#include "skyhook/math/lanes.h"

namespace skyhook {
namespace {
// A value with its first and second derivative, in lanes.
struct LaneJet {
  Lanes v, r, a;
  LaneJet() = default;
  LaneJet(double value) : v(value), r(0.0), a(0.0) {}  // NOLINT: constants mix freely
  LaneJet(const Lanes& value, const Lanes& first, const Lanes& second) : v(value), r(first), a(second) {}
};
}  // namespace
namespace expression {
LaneJet power(const LaneJet& x, double p);
}
}  // namespace skyhook
#include "skyhook/expression/derivatives_in_lanes.h"
// clang-format on

#include "skyhook/math/jet2.h"
#include "skyhook/math/sine_and_cosine.h"

namespace skyhook {
namespace {

LaneJet operator+(const LaneJet& x, const LaneJet& y) { return {x.v + y.v, x.r + y.r, x.a + y.a}; }
LaneJet operator-(const LaneJet& x, const LaneJet& y) { return {x.v - y.v, x.r - y.r, x.a - y.a}; }
LaneJet operator-(const LaneJet& x) { return {-x.v, -x.r, -x.a}; }
LaneJet operator*(const LaneJet& x, const LaneJet& y) {
  return {x.v * y.v, x.v * y.r + y.v * x.r, x.v * y.a + 2.0 * x.r * y.r + y.v * x.a};
}
LaneJet operator/(const LaneJet& x, const LaneJet& y) {
  const Lanes inverse = 1.0 / y.v, v = x.v * inverse, r = (x.r - v * y.r) * inverse;
  return {v, r, (x.a - 2.0 * r * y.r - v * y.a) * inverse};
}

LaneMask operator<(const LaneJet& x, const LaneJet& y) { return x.v < y.v; }
LaneMask operator>(const LaneJet& x, const LaneJet& y) { return x.v > y.v; }
LaneMask operator<=(const LaneJet& x, const LaneJet& y) { return x.v <= y.v; }
LaneMask operator>=(const LaneJet& x, const LaneJet& y) { return x.v >= y.v; }
LaneMask operator==(const LaneJet& x, const LaneJet& y) { return x.v == y.v; }
LaneMask operator!=(const LaneJet& x, const LaneJet& y) { return x.v != y.v; }
LaneJet select(const LaneMask& c, const LaneJet& x, const LaneJet& y) {
  return {select(c, x.v, y.v), select(c, x.r, y.r), select(c, x.a, y.a)};
}

// f(x) by its value and derivatives.
LaneJet chain(const LaneJet& x, const Lanes& f, const Lanes& f1, const Lanes& f2) {
  return {f, f1 * x.r, f2 * x.r * x.r + f1 * x.a};
}
Jet2 lane(const LaneJet& x, int i) { return jet2(x.v[i], x.r[i], x.a[i]); }
// What formulas have rarely: place by place, as it is elsewhere.
template <class F, class... Jets>
LaneJet by_lane(F f, const Jets&... x) {
  LaneJet out;
  for (int i = 0; i < Lanes::count; ++i) {
    const Jet2 y = f(lane(x, i)...);
    out.v.set(i, value(y)), out.r.set(i, rate(y)), out.a.set(i, acceleration(y));
  }
  return out;
}

struct LaneSines {
  Lanes s, c;
};
LaneSines sines(const Lanes& x) {
  LaneSines out;
  for (int i = 0; i < Lanes::count; ++i) {
    const auto [s, c] = sine_and_cosine(x[i]);
    out.s.set(i, s), out.c.set(i, c);
  }
  return out;
}

// What a formula asks of its scalar; found by the namespace of the scalar.
LaneJet sin(const LaneJet& x) {
  const auto [s, c] = sines(x.v);
  return chain(x, s, c, -s);
}
LaneJet cos(const LaneJet& x) {
  const auto [s, c] = sines(x.v);
  return chain(x, c, -s, -c);
}
LaneJet exp(const LaneJet& x) {
  const Lanes y = exp(x.v);
  return chain(x, y, y, y);
}
LaneJet tanh(const LaneJet& x) {
  const Lanes y = tanh(x.v), slope = 1.0 - y * y;
  return chain(x, y, slope, -2.0 * y * slope);
}
LaneJet sqrt(const LaneJet& x) {
  const Lanes y = sqrt(x.v), slope = 0.5 / y;
  return chain(x, y, slope, -slope * slope / y);
}
LaneJet abs(const LaneJet& x) { return select(x.v < 0.0, -x, x); }
LaneJet without_derivative(const LaneJet& x) { return {x.v, 0.0, 0.0}; }
LaneJet floor(const LaneJet& x) { return {floor(x.v), 0.0, 0.0}; }
LaneJet ceil(const LaneJet& x) { return {ceil(x.v), 0.0, 0.0}; }
LaneJet round(const LaneJet& x) { return {round(x.v), 0.0, 0.0}; }

LaneJet tan(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return tan(a); }, x);
}
LaneJet asin(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return asin(a); }, x);
}
LaneJet acos(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return acos(a); }, x);
}
LaneJet atan(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return atan(a); }, x);
}
LaneJet sinh(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return expression::sinh(a); }, x);
}
LaneJet cosh(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return expression::cosh(a); }, x);
}
LaneJet log(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return log(a); }, x);
}
LaneJet log10(const LaneJet& x) {
  return by_lane([](const Jet2& a) { return expression::log10(a); }, x);
}
LaneJet atan2(const LaneJet& y, const LaneJet& x) {
  return by_lane([](const Jet2& b, const Jet2& a) { return atan2(b, a); }, y, x);
}
LaneJet power_varying(const LaneJet& x, const LaneJet& p) {
  return by_lane([](const Jet2& a, const Jet2& b) { return expression::power_varying(a, b); }, x, p);
}
LaneJet look_up(const MonotoneCubic& curve, const LaneJet& x) {
  return by_lane([&](const Jet2& a) { return curve.evaluate(a); }, x);
}

}  // namespace

namespace expression {

LaneJet power(const LaneJet& x, double p) {
  if (p == 2.0) return x * x;
  if (p == 3.0) return x * x * x;
  return by_lane([p](const Jet2& a) { return power(a, p); }, x);
}

LaneDerivatives derivatives_in_lanes(const Expression& of, const Lanes& x) {
  const LaneJet at{x, 1.0, 0.0};
  const LaneJet y = of.evaluate<LaneJet>(std::span<const LaneJet>(&at, 1));
  return {y.v, y.r, y.a};
}

}  // namespace expression
}  // namespace skyhook
