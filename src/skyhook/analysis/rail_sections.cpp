#include "skyhook/analysis/rail_sections.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {
namespace {

constexpr double step = 1;                // m, between the places looked at
constexpr double reach = 2;               // m, to both sides, for the slope of the curvature
constexpr double changing = 1e-6;         // 1/m^2: a transition to 2500 m on 100 m has 4e-6
constexpr double nearly_straight = 1e-4;  // 1/m

// Test zones of EN 14363, by radius.
std::string zone_of(double curvature, double slope) {
  if (std::abs(slope) > changing) return "transition";
  if (std::abs(curvature) < nearly_straight) return "straight";
  const double radius = 1.001 / std::abs(curvature);  // that of a round number may be a hair less
  return radius > 601    ? "large curve"
         : radius >= 400 ? "curve 400-600 m"
         : radius >= 250 ? "curve 250-400 m"
                         : "tight curve";
}

void cut(const TrackSection& whole, const Signal& curvature, double length, std::vector<TrackSection>& out) {
  const double way = whole.to - whole.from;
  if (way < 0.25 * length) return;
  const int pieces = std::max(1, static_cast<int>(std::lround(way / length)));
  for (int k = 0; k < pieces; ++k) {
    TrackSection s = whole;
    s.from = whole.from + way * k / pieces, s.to = whole.from + way * (k + 1) / pieces;
    const double bend = curvature.x.empty() ? 0.0 : curvature.at(0.5 * (s.from + s.to));
    s.radius = std::abs(bend) < nearly_straight ? 0.0 : 1 / bend;
    out.push_back(std::move(s));
  }
}

}  // namespace

std::vector<TrackSection> track_sections(const Signal& curvature, double length) {
  std::vector<TrackSection> out;
  const double first = curvature.x.front(), last = curvature.x.back();
  const auto at = [&](double s) { return curvature.at(std::clamp(s, first, last)); };
  TrackSection now{"", first, first};
  for (int k = 0; first + k * step <= last; ++k) {
    const double s = first + k * step;
    const std::string zone = zone_of(at(s), (at(s + reach) - at(s - reach)) / (2 * reach));
    if (zone != now.zone) {
      now.to = s;
      if (!now.zone.empty()) cut(now, curvature, length, out);
      now = {zone, s, s};
    }
  }
  now.to = last;
  cut(now, curvature, length, out);
  return out;
}

std::vector<TrackSection> even_sections(double from, double to, double length) {
  std::vector<TrackSection> out;
  cut({"track", from, to}, {}, length, out);
  return out;
}

}  // namespace skyhook::analysis
