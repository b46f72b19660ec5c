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

}  // namespace

std::size_t forget_unresolved_rates(std::span<const double> t, std::span<const double> x, std::span<double> v) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < std::min(x.size(), v.size()); ++k) {
    if (is_unresolved(t, x, v[k], k)) v[k] = std::numeric_limits<double>::quiet_NaN(), ++count;
  }
  return count;
}

}  // namespace skyhook
