#include "skyhook/analysis/settled_cycle.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {

std::pair<double, double> range_of(const std::vector<double>& y) {
  double low = y.front(), high = y.front();
  for (const double v : y) low = std::min(low, v), high = std::max(high, v);
  for (std::size_t k = 1; k + 1 < y.size(); ++k) {
    const double a = y[k] - y[k - 1], b = y[k] - y[k + 1];
    if (a * b <= 0 || a + b == 0) continue;  // no extremum here
    const double top = y[k] + (b - a) * (b - a) / (8 * (a + b));
    low = std::min(low, top), high = std::max(high, top);
  }
  return {low, high};
}

SettledCycle settled_cycle(const Passage& passage, double parameter) {
  constexpr double irregular = 0.02, died = 1e-3, fading = 0.7;
  SettledCycle out{.parameter = parameter, .problem = passage.problem};
  if (!out.problem.empty()) return out;
  const std::size_t n = passage.t.size(), from = n - n / 3, late = n - n / 6;
  const auto half_range = [&](std::size_t a, std::size_t b) {
    const auto [low, high] = range_of({passage.output.begin() + static_cast<std::ptrdiff_t>(a),
                                       passage.output.begin() + static_cast<std::ptrdiff_t>(b)});
    return std::pair(0.5 * (high - low), 0.5 * (high + low));
  };
  const double begun = half_range(0, n).first, before = half_range(from, late).first;
  const auto [amplitude, middle] = half_range(late, n);
  if (!(amplitude > died * begun) || amplitude < fading * before)
    return out.problem = "its oscillation dies away.", out;
  std::vector<double> ups;
  for (std::size_t k = from + 1; k < n; ++k) {
    const double a = passage.output[k - 1] - middle, b = passage.output[k] - middle;
    if (a < 0 && b >= 0) ups.push_back(passage.t[k - 1] + (passage.t[k] - passage.t[k - 1]) * a / (a - b));
  }
  if (ups.size() < 4) return out.problem = "it does not swing to and fro four times in the last third of it.", out;
  out.period = (ups.back() - ups.front()) / static_cast<double>(ups.size() - 1), out.amplitude = amplitude,
  out.x = passage.end();
  for (std::size_t k = 1; k < ups.size(); ++k) {
    if (std::abs(ups[k] - ups[k - 1] - out.period) > irregular * out.period)
      return out.problem = "its oscillation is not periodic.", out;
  }
  return out;
}

std::vector<RampPoint> ramp(const FlowMap& flow, const SettledCycle& from, const std::vector<double>& values,
                            int periods, const std::function<bool()>& should_stop) {
  constexpr int a_period = 60;
  std::vector<RampPoint> out;
  Vector x = from.x;
  for (const double p : values) {
    if (should_stop && should_stop()) break;
    const Passage passage = flow.run(p, x, periods * from.period, from.amplitude, periods * a_period);
    if (should_stop && should_stop() && !passage.problem.empty()) break;
    out.push_back({p, 0, passage.problem});
    if (!passage.problem.empty()) break;
    const auto [low, high] = range_of({passage.output.end() - a_period - a_period / 5, passage.output.end()});
    out.back().amplitude = 0.5 * (high - low), x = passage.end();
  }
  return out;
}

}  // namespace skyhook::analysis
