#include "mechanism.h"

#include <cmath>
#include <numbers>

namespace skyhook::bench {

std::vector<double> andrews_reference() {
  return {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
          0.5244099658805304, 0.5347301163226948, 1.048080741042263};
}

std::vector<double> four_bars_reference(int n) {
  const double J = (n + 1) / 3.0 + n, k = 9.81 * ((n + 1) / 2.0 + n) / J;
  const int steps = 200'000;  // classical Runge-Kutta: error below 1e-12
  const double h = 10.0 / steps;
  double theta = -std::numbers::pi / 2, w = 1;
  for (int i = 0; i < steps; ++i) {
    const double a1 = -k * std::cos(theta), w2 = w + h / 2 * a1;
    const double a2 = -k * std::cos(theta + h / 2 * w), w3 = w + h / 2 * a2;
    const double a3 = -k * std::cos(theta + h / 2 * w2), w4 = w + h * a3;
    const double a4 = -k * std::cos(theta + h * w3);
    theta += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  std::vector<double> angles(2 * n + 1, 0.0);  // couplers stay parallel to the x axis
  for (int i = 0; i <= n; ++i) angles[2 * i] = theta;
  return angles;
}

}  // namespace skyhook::bench
