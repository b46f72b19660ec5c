#include "skyhook/integrator/bdf_starter.h"

#include <algorithm>
#include <cmath>

namespace skyhook::integrator {
namespace {

constexpr int stages = 5;
constexpr double gamma = 0.25;
constexpr double c[stages] = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1.0};
constexpr double a[stages][stages] = {{gamma},
                                      {1.0 / 2, gamma},
                                      {17.0 / 50, -1.0 / 25, gamma},
                                      {371.0 / 1360, -137.0 / 2720, 15.0 / 544, gamma},
                                      {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, gamma}};
constexpr double difference[stages] = {-3.0 / 16, -27.0 / 32, 25.0 / 32, 0,
                                       1.0 / 4};  // to the method of order 3 inside

}  // namespace

BdfStarter::BdfStarter(std::size_t n) : base_(n), values_(order + 1) {
  for (auto& s : slope_) s.assign(n, 0.0);
  for (auto& v : values_) v.assign(n, 0.0);
}

// Variables outside of the error test have no slope of their own: a stage begins with their last value.
bool BdfStarter::step(const Structure& structure, double t, CSpan y, CSpan yp, double h, BdfNewton& newton,
                      Cost& cost) {
  const std::size_t n = y.size();
  newton.set_weights(y, h);
  for (int s = 0; s < stages; ++s) {
    const auto& before = s == 0 ? yp : CSpan(slope_[static_cast<std::size_t>(s - 1)]);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < s; ++j) sum += a[s][j] * slope_[static_cast<std::size_t>(j)][i];
      base_[i] = y[i] + h * sum;
      if (structure.y[i].in_error_test) {
        newton.y[i] = base_[i] + h * gamma * before[i], newton.yp[i] = before[i];
      } else {
        if (s == 0) newton.y[i] = y[i];
        newton.yp[i] = 0;
      }
    }
    if (newton.solve(t + c[s] * h, h * gamma, 1 / (h * gamma), cost) != BdfNewton::Solved::yes) return false;
    auto& slope = slope_[static_cast<std::size_t>(s)];
    for (std::size_t i = 0; i < n; ++i) slope[i] = structure.y[i].in_error_test ? newton.yp[i] : 0.0;
  }
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double e = 0;
    for (int s = 0; s < stages; ++s) e += difference[s] * slope_[static_cast<std::size_t>(s)][i];
    const double weighted = h * e * newton.error_weight[i];
    square += weighted * weighted;
  }
  error_ = std::sqrt(square / newton.tested);
  return true;
}

void BdfStarter::fill_values(const Structure& structure, CSpan y, CSpan yp, double h, const BdfNewton& newton) {
  for (std::size_t m = 0; m < values_.size(); ++m) {
    const double s = 1 - static_cast<double>(m) * step_of;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double change = newton.y[i] - y[i], from = h * yp[i], to = h * newton.yp[i];
      values_[m][i] = structure.y[i].in_error_test
                          ? y[i] + s * (from + s * (3 * change - 2 * from - to + s * (from + to - 2 * change)))
                          : y[i] + s * change;
    }
  }
  std::ranges::copy(newton.y, values_[0].begin());
}

}  // namespace skyhook::integrator
