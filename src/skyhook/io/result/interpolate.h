// Values between samples, by the cubic that has the stored values and rates at both ends (Hermite). Its error is of
// fourth order in the sampling step; that of its derivative of third.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace skyhook::io {

// Which of two samples at the same time is meant: the one before or after an event.
enum class Side { before, after };

// The samples that enclose a time. left == right: the time is that of a sample.
struct Bracket {
  std::size_t left = 0, right = 0;
};

// `time` is not empty and does not decrease; t lies within it. Samples with equal times end a smooth piece, so no
// bracket spans an event.
inline Bracket find_bracket(std::span<const double> time, double t, Side side) {
  const auto index = [&](auto at) { return static_cast<std::size_t>(at - time.begin()); };
  const std::size_t not_before = index(std::lower_bound(time.begin(), time.end(), t));
  const std::size_t beyond = index(std::upper_bound(time.begin(), time.end(), t));
  if (not_before != beyond) {
    const std::size_t exact = side == Side::before ? not_before : beyond - 1;
    return {exact, exact};
  }
  const std::size_t last = time.size() - 1;
  return {beyond > 0 ? beyond - 1 : 0, std::min(beyond, last)};
}

// A value and its rate at one time.
struct Node {
  double t, x, v;
};

// A line instead of the cubic where a rate is not finite (a quantity without a rate).
inline double hermite(const Node& a, const Node& b, double t) {
  const double h = b.t - a.t, s = (t - a.t) / h;
  if (!std::isfinite(a.v) || !std::isfinite(b.v)) return a.x + s * (b.x - a.x);
  const double r = 1 - s;
  return r * r * ((1 + 2 * s) * a.x + s * h * a.v) + s * s * ((1 + 2 * r) * b.x - r * h * b.v);
}

inline double hermite_rate(const Node& a, const Node& b, double t) {
  const double h = b.t - a.t, s = (t - a.t) / h, slope = (b.x - a.x) / h;
  if (!std::isfinite(a.v) || !std::isfinite(b.v)) return slope;
  return 6 * s * (1 - s) * slope + (1 - s) * (1 - 3 * s) * a.v + s * (3 * s - 2) * b.v;
}

}  // namespace skyhook::io
