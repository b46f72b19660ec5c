#include <algorithm>
#include <cmath>

#include "skyhook/element/rail/elastic_contact.h"

namespace skyhook::element::rail {
namespace {

// How far the tangents are from being parallel, with its slope in s. The foot moves with s by its own equation.
struct Look {
  double crossing, slope, distance;
};
Look look(const WheelOnRail& of, const Axle<double>& axle, double s) {
  using D = Dual<1>;
  const auto plain = [](const Vec3d& v) { return Vec3<D>(v); };
  const Axle<D> constant{plain(axle.centre), plain(axle.axis), plain(axle.ahead), plain(axle.down), D(axle.length)};
  const WheelPoint<D> wheel = silhouette_point(of, constant, D::variable(s, 0));
  const RailFoot<D> foot = foot_on_rail(*of.rail, wheel.at.y, wheel.at.z);
  const D h = crossing_of(wheel, foot);
  return {h.v, h.d[0], distance_of(wheel, foot).v};
}

// Newton's method within a bracket, h of the sign `rise` behind its root. False: the sign does not change there, so the grid was wrong.
bool find_root(const WheelOnRail& of, const Axle<double>& axle, double low, double high, double rise, Parallel& out) {
  if (!(rise * look(of, axle, low).crossing < 0.0 && rise * look(of, axle, high).crossing > 0.0)) return false;
  double s = 0.5 * (low + high);
  for (int k = 0; k < 60; ++k) {
    const Look at = look(of, axle, s);
    out = {s, at.distance};
    (rise * at.crossing < 0.0 ? low : high) = s;
    double next = s - at.crossing / at.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - s) < 1e-13) return true;
    s = next;
  }
  return true;
}

}  // namespace

Overlaps overlaps(const WheelOnRail& of, const GapScan& scan, const Axle<double>& axle, double reach) {
  static thread_local std::vector<double> rough;  // as long as the profile: sized at the first call
  scan.distances(axle, rough);
  Overlaps out;
  int before = -1;
  constexpr double slack = 2e-5;  // m, of the grid
  for (int k = 1; k + 1 < scan.size() && out.count < most_patches; ++k) {
    const double d = rough[k];
    if (d > reach + slack || d > rough[k - 1] || d >= rough[k + 1] || rough[k + 1] == GapScan::nowhere || rough[k - 1] == GapScan::nowhere) continue;
    Parallel at{};
    if (!find_root(of, axle, scan.s(k - 1), scan.s(k + 1), 1.0, at) || at.distance > reach) continue;
    if (before >= 0) {
      const auto top = std::max_element(rough.begin() + before, rough.begin() + k);
      const int peak = static_cast<int>(top - rough.begin());
      Parallel& saddle = out.between[static_cast<std::size_t>(out.count - 1)];
      saddle = {scan.s(peak), *top};
      // between the two, wherever the grid has seen it: near to one that is about to go it lies within a cell
      constexpr double beside = 1e-7;
      const double low = out.least[static_cast<std::size_t>(out.count - 1)].s + beside;
      if (*top < GapScan::nowhere) find_root(of, axle, low, at.s - beside, -1.0, saddle);
    }
    out.least[static_cast<std::size_t>(out.count++)] = at;
    before = k;
  }
  return out;
}

}  // namespace skyhook::element::rail
