#include <algorithm>
#include <cmath>

#include "skyhook/element/rail/elastic_contact.h"

namespace skyhook::element::rail {

// The derivatives to s of P = c + y a + rho d and n = y' d + z' a, with those of sin(psi) and d (wheel_touch.h).
Steering steering(const WheelOnRail& of, const Axle<double>& axle, double s, double sigma,
                  std::array<double, 2>& residual, double& distance) {
  const ProfileJet<double> p = of.wheel->jet(s), q = of.rail->jet(sigma);
  const double sine = -(p.z1 * axle.axis.x) / (p.y1 * axle.length), cosine = std::sqrt(1.0 - sine * sine);
  const double sine_s = -(p.z2 * p.y1 - p.z1 * p.y2) * axle.axis.x / (p.y1 * p.y1 * axle.length),
               cosine_s = -sine * sine_s / cosine;
  const WheelPoint<double> wheel = point_of_wheel(of, axle, p, sine, cosine);
  const Vec3d d = sine * axle.ahead + cosine * axle.down, d_s = sine_s * axle.ahead + cosine_s * axle.down;
  const Vec3d P_s = p.y1 * axle.axis - p.z1 * d + wheel.rho * d_s, n_s = p.y2 * d + p.y1 * d_s + p.z2 * axle.axis;
  const double dy = wheel.at.y - q.y, dz = wheel.at.z - q.z;
  residual = {q.y1 * dy + q.z1 * dz, q.y1 * wheel.normal.y + q.z1 * wheel.normal.z};
  distance = (q.y1 * dz - q.z1 * dy) / std::sqrt(q.y1 * q.y1 + q.z1 * q.z1);
  return {q.y1 * P_s.y + q.z1 * P_s.z, q.y2 * dy + q.z2 * dz - (q.y1 * q.y1 + q.z1 * q.z1), q.y1 * n_s.y + q.z1 * n_s.z,
          q.y2 * wheel.normal.y + q.z2 * wheel.normal.z};
}

OverlapSearch::OverlapSearch(const WheelOnRail& of)
    : of_(of), scan_(of), first_y_(of.rail->first_y()), per_step_(1 / 5e-4) {
  for (double y = first_y_; y < of.rail->last_y() + 5e-4; y += 5e-4) sigma_.push_back(of.rail->s_at(y));
}

double OverlapSearch::sigma_at(double y) const {
  const double at = std::clamp((y - first_y_) * per_step_, 0.0, static_cast<double>(sigma_.size()) - 1.001);
  const auto k = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(k);
  return sigma_[k] + part * (sigma_[k + 1] - sigma_[k]);
}

// Newton's method in both lengths from a place in a bracket of s. The crossing h has the sign `sign` behind its root: a step out of the bracket is
// halved, as that of a saddle beside a minimum that is about to go.
bool OverlapSearch::refine(const Axle<double>& axle, double low, double high, double from, double sign,
                           Parallel& at) const {
  constexpr double last_step =
      1e-9;  // m: behind it 1e-14 is left, the square of it over the smoothing of profiles, and of the distance nothing
  const double begin = low, end = high;
  double s = from;
  double sigma = sigma_at(silhouette_point(of_, axle, s).at.y);
  for (int k = 0; k < 60; ++k) {
    std::array<double, 2> r{};
    const Steering j = steering(of_, axle, s, sigma, r, at.distance);
    at.s = s, at.sigma = sigma;
    const double det = j.determinant();
    double ds = -(r[0] * j.h_sigma - r[1] * j.f_sigma) / det, dsigma = -(j.f_s * r[1] - j.h_s * r[0]) / det;
    // the crossing with the foot where it belongs
    const double crossing = r[1] - j.h_sigma * r[0] / j.f_sigma;
    (sign * crossing < 0.0 ? low : high) = s;
    if (std::abs(ds) < last_step && std::abs(dsigma) < last_step) {
      at.s += ds, at.sigma += dsigma;
      return s > begin && s < end && det * j.f_sigma * sign < 0.0;
    }
    if (!(s + ds > low && s + ds < high)) {
      ds = 0.5 * (low + high) - s;
      dsigma = -(r[0] + j.f_s * ds) / j.f_sigma;
    }
    s += ds, sigma += dsigma;
  }
  return false;
}

// Of the parabola through three nodes, where the middle one is not above its neighbours.
double OverlapSearch::lowest_near(const GapScan::Near& near, int node) const {
  const double here = near.distance(node), before = near.distance(node - 1) - here,
               behind = near.distance(node + 1) - here;
  return scan_.s(node) + 0.5 * GapScan::step * (before - behind) / (before + behind);
}

Parallel OverlapSearch::deepest(const Axle<double>& axle, int node) const {
  const double s = scan_.s(node);
  const WheelPoint<double> wheel = silhouette_point(of_, axle, s);
  const RailFoot<double> foot = foot_on_rail(*of_.rail, wheel.at.y, wheel.at.z);
  return {s, foot.sigma, distance_of(wheel, foot), true};
}

Overlaps OverlapSearch::find(const Axle<double>& axle, double reach) const {
  constexpr double slack =
      2e-5;  // m, of the grid, and of distances that are foretold: what is less than zero is foretold below it
  const GapScan::Near near = scan_.near(axle, reach + slack);
  Overlaps out;
  int before = -1;
  for (const int k : near.least) {
    if (out.count == most_patches) break;
    Parallel at{};
    if (!refine(axle, scan_.s(k - 1), scan_.s(k + 1), lowest_near(near, k), 1.0, at) || at.distance > reach) continue;
    if (before >= 0) {
      const double top = near.largest(before, k);
      Parallel& saddle = out.between[static_cast<std::size_t>(out.count - 1)];
      saddle = {at.s, at.sigma, top};
      const double last = out.least[static_cast<std::size_t>(out.count - 1)].s;
      if (top < reach + slack) refine(axle, last, at.s, 0.5 * (last + at.s), -1.0, saddle);
    }
    out.least[static_cast<std::size_t>(out.count++)] = at;
    before = k;
  }
  if (out.count > 0 || !(near.smallest() < 0.0)) return out;
  // Forced deep into its rail a flange overlaps it all the way to the end of what is below, or where both are curved alike: tangents are parallel nowhere. It presses where it is deepest.
  static thread_local std::vector<double> all;
  scan_.distances(axle, all);
  const auto node = std::ranges::min_element(all);
  if (!(*node < -slack)) return out;
  const Parallel at = deepest(axle, static_cast<int>(node - all.begin()));
  if (at.distance < 0.0 && of_.rail->contains(at.sigma)) out.least[0] = at, out.count = 1;
  return out;
}

}  // namespace skyhook::element::rail
