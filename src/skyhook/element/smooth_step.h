// From 0 to 1 with two continuous derivatives: 10 s^3 - 15 s^4 + 6 s^5 for s from 0 to 1.
#pragma once

namespace skyhook::element {

struct SmoothStep {
  double value = 0, slope = 0, curvature = 0, integral = 0;  // derivatives to s, and the area from 0
};

constexpr SmoothStep smooth_step(double s) {
  if (!(s > 0.0)) return {};
  if (s >= 1.0) return {1, 0, 0, s - 0.5};
  const double r = 1.0 - s;
  return {s * s * s * (10 + s * (6 * s - 15)), 30 * s * s * r * r, 60 * s * r * (1 - 2 * s),
          s * s * s * s * (2.5 + s * (s - 3))};
}

}  // namespace skyhook::element
