#include "skyhook/simulation/power_curve.h"

#include <cassert>
#include <cmath>

namespace skyhook::simulation {

PowerCurve::PowerCurve(std::span<const Value> values) : count_(values.size()) {
  assert(count_ <= most);
  for (std::size_t i = 0; i < count_; ++i) t_[i] = values[i].t, c_[i] = values[i].power;
  for (std::size_t order = 1; order < count_; ++order) {
    for (std::size_t i = count_ - 1; i >= order; --i) c_[i] = (c_[i] - c_[i - 1]) / (t_[i] - t_[i - order]);
  }
}

double PowerCurve::at(double t) const {
  double value = 0;
  for (std::size_t i = count_; i-- > 0;) value = value * (t - t_[i]) + c_[i];
  return value;
}

// Gauss' rule of three points is exact up to degree five.
double PowerCurve::work(double from, double to) const {
  static const double off = 0.5 * std::sqrt(0.6);
  const double h = to - from, middle = from + 0.5 * h;
  return h / 18 * (5 * at(middle - off * h) + 8 * at(middle) + 5 * at(middle + off * h));
}

}  // namespace skyhook::simulation
