// TMeasy [Rill 2011] chapter 3: initial slope, largest and sliding force of each direction at two loads; combined slip by an ellipse of these.
#pragma once
#include "skyhook/element/tyre/slip.h"

namespace skyhook::element::tyre {

// Of one direction, at the nominal load and at twice that.
struct TMeasySide {
  double slope[2] = {0, 0};                        // N
  double peak_slip[2] = {0, 0}, peak[2] = {0, 0};  // N
  double sliding_slip[2] = {0, 0}, sliding[2] = {0, 0};
};

struct TMeasy {
  TMeasySide x, y;
  double load = 1;           // nominal
  double camber_factor = 0;  // lateral slip of a camber of 1 rad
  double trail = 0, trail_end = 0.2,
         trail_out = 0.5;         // at no slip and nominal load, m; slip where it is zero first, and for good
  double rolling_resistance = 0;  // m

  static constexpr bool drives = true;

  template <class T>
  struct Side {
    T slope, peak_slip, peak, sliding_slip, sliding;
  };
  // Forces are parabolas through the origin, slips straight lines over the load.
  template <class T>
  static Side<T> at(const TMeasySide& of, const T& share) {
    const auto force = [&](const double(&f)[2]) {
      return share * (T(2.0 * f[0] - 0.5 * f[1]) - T(f[0] - 0.5 * f[1]) * share);
    };
    const auto slip = [&](const double(&s)[2]) { return T(s[0]) + T(s[1] - s[0]) * (share - T(1.0)); };
    return {force(of.slope), slip(of.peak_slip), force(of.peak), slip(of.sliding_slip), force(of.sliding)};
  }
  // Force over slip s of one characteristic.
  template <class T>
  static T secant(const Side<T>& c, const T& s) {
    if (value_of(s) < value_of(c.peak_slip)) {
      const T r = s / c.peak_slip;
      return c.slope / (T(1.0) + r * (r + c.slope * c.peak_slip / c.peak - T(2.0)));
    }
    if (value_of(s) >= value_of(c.sliding_slip)) return c.sliding / s;
    const T r = (s - c.peak_slip) / (c.sliding_slip - c.peak_slip);
    return (c.peak - (c.peak - c.sliding) * r * r * (T(3.0) - T(2.0) * r)) / s;
  }
  // Of the lateral slip: the force's arm, at nominal load. Its slips change with friction as those of the forces do.
  template <class T>
  T arm(const T& slip, const T& road) const {
    using std::abs;
    const T s = abs(slip) / (value_of(road) > 1e-3 ? road : T(1e-3));
    const double w = 1.0 - trail_end / trail_out;
    if (value_of(s) >= trail_out) return T(0.0);
    const T r = s / T(trail_end);
    if (value_of(r) <= 1.0)
      return T(trail) * (T(w) * (T(1.0) - r) + T(1.0 - w) * (T(1.0) - (T(3.0) - T(2.0) * r) * r * r));
    const T rest = (T(trail_out) - s) / T(trail_out - trail_end);
    return T(-w * trail) * (r - T(1.0)) * rest * rest;
  }

  // Beyond twice the nominal load forces grow in proportion to it.
  template <class T>
  ContactForce<T> operator()(const Slip<T>& s) const {
    using std::sqrt, std::tanh;
    constexpr double turning = 0.1;  // m/s
    constexpr double locked = 0.01;  // of rolling to sliding speed: a locked wheel has a slip, not infinity
    const bool is_beyond = value_of(s.load) > 2.0 * load;
    const T share = is_beyond ? T(2.0) : s.load / T(load), factor = is_beyond ? s.load / T(2.0 * load) : T(1.0);
    const Side<T> cx = at(x, share), cy = at(y, share);
    // Slips refer to the speed of rolling: 1 + kappa times that of driving, 1 - kappa where it rolls back.
    const T ratio = T(1.0) + s.kappa * tanh(s.speed / T(turning));
    const T rolling = sqrt(ratio * ratio + T(locked * locked));
    const T sx = s.kappa / rolling, sy = -(s.tan_alpha + T(camber_factor) * s.camber) / rolling;
    const T rx = cx.peak / cx.slope, ry = cy.peak / cy.slope;
    const T hx = cx.peak_slip / (cx.peak_slip + cy.peak_slip) + rx / (rx + ry);
    const T hy = cy.peak_slip / (cx.peak_slip + cy.peak_slip) + ry / (rx + ry);
    const T nx = sx / hx, ny = sy / hy;
    ContactForce<T> f;
    const double size = std::hypot(value_of(nx), value_of(ny));
    if (size < 1e-9) {
      f.fx = cx.slope * sx, f.fy = cy.slope * sy;
    } else {
      const T all = sqrt(nx * nx + ny * ny), c = nx / all, d = ny / all;
      const auto both = [&](const T& a, const T& b) { return sqrt(a * a * c * c + b * b * d * d); };
      const Side<T> one{both(cx.slope * hx, cy.slope * hy), both(cx.peak_slip / hx, cy.peak_slip / hy),
                        both(cx.peak, cy.peak), both(cx.sliding_slip / hx, cy.sliding_slip / hy),
                        both(cx.sliding, cy.sliding)};
      const T f_over_s = secant(scaled(one, s.friction), all);
      f.fx = f_over_s * nx, f.fy = f_over_s * ny;
    }
    f.fx = factor * f.fx, f.fy = factor * f.fy;
    f.mz = -arm(sy, s.friction) * sqrt(share) * f.fy;
    f.my = T(-rolling_resistance) * s.load;
    return f;
  }

  // On a road of other friction: the largest forces change, and with them their slips; the slope does not.
  template <class T>
  static Side<T> scaled(Side<T> c, const T& friction) {
    for (T* each : {&c.peak_slip, &c.peak, &c.sliding_slip, &c.sliding}) *each = friction * *each;
    return c;
  }
};

}  // namespace skyhook::element::tyre
