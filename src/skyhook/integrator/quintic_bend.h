// Dense output of order 5 for explicit methods. To the cubic with given values and slopes at both ends of a step come two
// bubbles, which make its slope that of the equations at two points inside: s^2 (1 - s)^2 (A + B x), x = 2 s - 1, at
// x = -1/sqrt(3) and 1/sqrt(3). States there, from a polynomial of order 4, are good enough: their error counts h times as much.
#pragma once
#include <array>
#include <cmath>
#include <numbers>

namespace skyhook::integrator {

inline constexpr std::array<double, 2> inner_points = {0.5 - 0.5 * std::numbers::inv_sqrt3,
                                                       0.5 + 0.5 * std::numbers::inv_sqrt3};

// h |lambda| up to which that holds: errors of the states come back through the equations, about 0.6 h |lambda| times as large.
constexpr double most_amplified = 1.5;

// Value and slope at one end, the slope by s.
struct End {
  double value, slope;
};

// c[0] + c[1] s + c[2] s^2 + c[3] s^3
struct Cubic {
  std::array<double, 4> c;
  Cubic(const End& from, const End& to) {
    const double change = to.value - from.value;
    c = {from.value, from.slope, 3 * change - 2 * from.slope - to.slope, from.slope + to.slope - 2 * change};
  }
  double value(double s) const { return c[0] + s * (c[1] + s * (c[2] + s * c[3])); }
  double slope(double s) const { return c[1] + s * (2 * c[2] + s * 3 * c[3]); }
};

struct Bend {
  double A = 0, B = 0;
  Bend() = default;
  // By the slopes (by s) that the cubic should have at the inner points. There s (1 - s) = 1/6, so that the slopes of the bubbles
  // are -x/3 and -1/18.
  Bend(const Cubic& cubic, double first, double second) {
    const double a = first - cubic.slope(inner_points[0]), b = second - cubic.slope(inner_points[1]);
    A = 1.5 * std::numbers::sqrt3 * (a - b), B = -9 * (a + b);
  }
  double value(double s) const {
    const double u = s * (1 - s);
    return u * u * (A + B * (2 * s - 1));
  }
  double slope(double s) const {
    const double u = s * (1 - s), x = 2 * s - 1;
    return 2 * u * (u * B - x * (A + B * x));
  }
};

}  // namespace skyhook::integrator
