#include "skyhook/math/unresolved_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook {
namespace {

constexpr std::size_t beside = 3, least = 4;  // samples on each side that are looked at; in all
constexpr double bend = 4.0 / 27;             // the largest value of s (1 - s)^2
constexpr double noise = 1e-6, nothing = 1e-12;

bool is_unresolved(std::span<const double> t, std::span<const double> x, double v, std::size_t k) {
  const std::size_t first = k < beside ? 0 : k - beside, last = std::min(k + beside, x.size() - 1);
  if (last - first + 1 < least) return false;
  const auto [low, high] = std::ranges::minmax(x.subspan(first, last - first + 1));
  const double h = std::max(k > 0 ? t[k] - t[k - 1] : 0.0, k + 1 < t.size() ? t[k + 1] - t[k] : 0.0);
  return bend * h * std::abs(v) > high - low + noise * std::max(std::abs(low), std::abs(high)) + nothing;
}

// Of the parabola through three samples, at t.
double rate_of_parabola(std::span<const double> t, std::span<const double> x, double at) {
  const double first = (x[1] - x[0]) / (t[1] - t[0]), second = (x[2] - x[1]) / (t[2] - t[1]);
  return first + (second - first) * (2 * at - t[0] - t[1]) / (t[2] - t[0]);
}

}  // namespace

std::size_t fill_unknown_rates(std::span<const double> t, std::span<const double> x, std::span<double> v) {
  std::size_t count = 0;
  const std::size_t n = std::min(x.size(), v.size());
  const auto rises = [&](std::size_t from) {
    return from + 2 < n && t[from] < t[from + 1] && t[from + 1] < t[from + 2];
  };
  for (std::size_t k = 0; k < n; ++k) {
    if (!std::isnan(v[k])) continue;
    for (const std::size_t before : {1, 2, 0}) {
      if (k < before || !rises(k - before)) continue;
      v[k] = rate_of_parabola(t.subspan(k - before, 3), x.subspan(k - before, 3), t[k]);
      count += std::isnan(v[k]) ? 0 : 1;
      break;
    }
  }
  return count;
}

std::size_t forget_unresolved_rates(std::span<const double> t, std::span<const double> x, std::span<double> v) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < std::min(x.size(), v.size()); ++k) {
    if (is_unresolved(t, x, v[k], k)) v[k] = std::numeric_limits<double>::quiet_NaN(), ++count;
  }
  return count;
}

}  // namespace skyhook
