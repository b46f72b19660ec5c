#include "skyhook/simulation/root_search.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {
namespace {

// Where the straight lines of those that have changed sign cross zero first, as a part of the interval.
double earliest_crossing(const std::vector<int>& sign, CSpan before, CSpan after) {
  double earliest = 1;
  for (std::size_t k = 0; k < sign.size(); ++k) {
    if (!has_changed(sign[k], after[k])) continue;
    const double from = std::abs(before[k]), to = std::abs(after[k]);
    earliest = std::min(earliest, from / (from + to));
  }
  return std::isfinite(earliest) ? earliest : 0.5;
}

}  // namespace

bool any_changed(const std::vector<int>& sign, CSpan z) {
  for (std::size_t k = 0; k < sign.size(); ++k) {
    if (has_changed(sign[k], z[k])) return true;
  }
  return false;
}

std::optional<Bracket> first_change(const RootSearch& search, Bracket within, CSpan z_before, CSpan z_after,
                                    const Values& values) {
  std::vector<double> before(z_before.begin(), z_before.end()), after(z_after.begin(), z_after.end()), z(before.size());
  auto [a, b] = within;
  const double whole = b - a;
  const double halvings = std::ceil(std::log2(std::max(whole / search.width, 1.0)));
  for (int probe = 0; b - a > search.width && probe < search.most; ++probe) {
    const double half = 0.5 * (a + b), line = a + (b - a) * earliest_crossing(search.sign, before, after);
    const double towards = half > line ? 1.0 : -1.0, push = 0.2 * (b - a) * (b - a) / whole;
    const double truncated = push <= std::abs(half - line) ? line + towards * push : half;
    const double reach =
        0.5 * search.width * std::exp2(halvings + 1 - probe) - 0.5 * (b - a);  // keeps to bisection's count
    const double wished = std::abs(truncated - half) <= reach ? truncated : half - towards * std::max(reach, 0.0);
    const double margin =
        std::min(0.5 * search.width, 0.25 * (b - a));  // a root at an end is fenced in from both sides
    const double at = std::clamp(wished, a + margin, b - margin);
    if (!(at > a && at < b)) break;  // rounding
    if (!values(at, z)) return std::nullopt;
    if (any_changed(search.sign, z))
      b = at, std::swap(after, z);
    else
      a = at, std::swap(before, z);
  }
  return Bracket{a, b};
}

}  // namespace skyhook::simulation
