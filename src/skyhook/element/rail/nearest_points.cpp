#include <algorithm>
#include <cmath>

#include "skyhook/element/rail/rigid_contact.h"

namespace skyhook::element::rail {
namespace {

struct Look {
  double distance, crossing;
};
Look look(const WheelOnRail& of, const Axle<double>& axle, double s) {
  const WheelPoint<double> wheel = silhouette_point(of, axle, s);
  const RailFoot<double> foot = foot_on_rail(*of.rail, wheel.at.y, wheel.at.z);
  return {distance_of(wheel, foot), crossing_of(wheel, foot)};
}

// h rises through zero where the distance is least: by secants within a bracket. False: it does not, so the grid was wrong.
bool root(const WheelOnRail& of, const Axle<double>& axle, double low, double high, double& s) {
  double at_low = look(of, axle, low).crossing, at_high = look(of, axle, high).crossing;
  if (!(at_low < 0 && at_high > 0)) return false;
  for (int k = 0; k < 60 && high - low > 1e-15; ++k) {
    const double secant = low - at_low * (high - low) / (at_high - at_low);
    s = k % 3 == 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
    const double h = look(of, axle, s).crossing;
    if (h == 0) return true;
    (h < 0 ? low : high) = s;
    (h < 0 ? at_low : at_high) = h;
  }
  s = -at_low < at_high ? low : high;
  return true;
}

}  // namespace

std::vector<Nearest> nearest_points(const WheelOnRail& of, const GapScan& scan, const Axle<double>& axle,
                                    double within) {
  static thread_local std::vector<double> rough;
  scan.distances(axle, rough);
  const double least = *std::ranges::min_element(rough);
  std::vector<Nearest> out;
  if (least == GapScan::nowhere) return out;
  for (int k = 1; k + 1 < scan.size(); ++k) {
    const double d = rough[k];
    if (d > least + within || d > rough[k - 1] || d > rough[k + 1] || rough[k - 1] == GapScan::nowhere ||
        rough[k + 1] == GapScan::nowhere)
      continue;
    Nearest n{};
    if (!root(of, axle, scan.s(k - 1), scan.s(k + 1), n.s)) continue;
    n.distance = look(of, axle, n.s).distance;
    const bool is_known = !out.empty() && std::abs(out.back().s - n.s) < 1e-9;
    if (!is_known) out.push_back(n);
  }
  std::ranges::sort(out, {}, &Nearest::distance);
  return out;
}

}  // namespace skyhook::element::rail
