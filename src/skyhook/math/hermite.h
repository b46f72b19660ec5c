// The cubic that has given values and rates at both ends of an interval. Its error is of fourth order in the length of the interval; that of
// its derivative of third.
#pragma once
#include <array>
#include <cmath>

namespace skyhook {

// A value and its rate at one place.
struct HermiteNode {
  double t, x, v;
};

inline bool have_rates(const HermiteNode& a, const HermiteNode& b) { return std::isfinite(a.v) && std::isfinite(b.v); }

// A line instead of the cubic where a rate is not finite (a quantity without a rate).
inline double hermite(const HermiteNode& a, const HermiteNode& b, double t) {
  const double h = b.t - a.t, s = (t - a.t) / h;
  if (!have_rates(a, b)) return a.x + s * (b.x - a.x);
  const double r = 1 - s;
  return r * r * ((1 + 2 * s) * a.x + s * h * a.v) + s * s * ((1 + 2 * r) * b.x - r * h * b.v);
}

inline double hermite_rate(const HermiteNode& a, const HermiteNode& b, double t) {
  const double h = b.t - a.t, s = (t - a.t) / h, slope = (b.x - a.x) / h;
  if (!have_rates(a, b)) return slope;
  return 6 * s * (1 - s) * slope + (1 - s) * (1 - 3 * s) * a.v + s * (3 * s - 2) * b.v;
}

// The same as a polynomial of s = (t - a.t)/(b.t - a.t): c0 + c1 s + c2 s^2 + c3 s^3.
inline std::array<double, 4> hermite_powers(const HermiteNode& a, const HermiteNode& b) {
  const double h = b.t - a.t, rise = b.x - a.x;
  if (!have_rates(a, b)) return {a.x, rise, 0, 0};
  return {a.x, h * a.v, 3 * rise - h * (2 * a.v + b.v), h * (a.v + b.v) - 2 * rise};
}

// Over the whole interval.
inline double hermite_integral(const HermiteNode& a, const HermiteNode& b) {
  const double h = b.t - a.t, line = h / 2 * (a.x + b.x);
  return have_rates(a, b) ? line + h * h / 12 * (a.v - b.v) : line;
}

}  // namespace skyhook
