#include "skyhook/io/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::io::report {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Sum {
  double weight = 0, value = 0, square = 0;
  void add(double w, double x, double x2) { weight += w, value += w * x, square += w * x2; }
};

// Of the values divided by `scale`, so that no square overflows.
Sum over_time(CSpan time, CSpan values, double scale) {
  Sum sum;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double a = values[i - 1] / scale, b = values[i] / scale;
    if (std::isfinite(a) && std::isfinite(b)) sum.add(time[i] - time[i - 1], (a + b) / 2, (a * a + b * b) / 2);
  }
  return sum;
}

Sum over_samples(CSpan values, double scale) {
  Sum sum;
  for (const double x : values) {
    if (std::isfinite(x)) sum.add(1, x / scale, x / scale * (x / scale));
  }
  return sum;
}

void find_extremes(CSpan time, CSpan values, Statistics& s) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    if (!std::isfinite(x)) continue;
    if (!(x >= s.min)) s.min = x, s.t_min = time[i];  // also where there was none yet
    if (!(x <= s.max)) s.max = x, s.t_max = time[i];
  }
}

}  // namespace

Statistics statistics_of(CSpan time, CSpan values) {
  Statistics s{none, none, none, none, none, none, none, none};
  if (values.empty()) return s;
  s.first = values.front(), s.last = values.back();
  find_extremes(time, values, s);
  const double largest = std::max(std::abs(s.min), std::abs(s.max)), scale = largest > 0 ? largest : 1;
  Sum sum = over_time(time, values, scale);
  if (!(sum.weight > 0)) sum = over_samples(values, scale);
  if (!(sum.weight > 0)) return s;
  s.mean = scale * (sum.value / sum.weight);
  s.rms = scale * std::sqrt(sum.square / sum.weight);
  return s;
}

}  // namespace skyhook::io::report
