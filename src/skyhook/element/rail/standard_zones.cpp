// Profiles of standards, by their zones. Sources and checks: data of EN 15302:2021 annex I, EN 13715 (UIC 510-2); see docs/theory/16_wheel_rail.md.
// The formulas are in mm and in the axes of the standards: y to the field side, z down, of a wheel the growth of its radius.
#include <algorithm>
#include <cmath>
#include <functional>

#include "skyhook/element/rail/eased_profile.h"
#include "skyhook/element/rail/standard_profiles.h"

namespace skyhook::element::rail {
namespace {

constexpr double easing = 0.25e-3;  // m

struct Zone {
  double from, to;
  std::function<double(double)> z;
};
using Zones = std::vector<Zone>;

// An arc about (yc, zc); sign +1: its side of larger z.
std::function<double(double)> arc(double zc, double sign, double radius, double yc) {
  return [=](double y) { return zc + sign * std::sqrt(std::max(0.0, radius * radius - (y - yc) * (y - yc))); };
}
std::function<double(double)> line(double z0, double slope) {
  return [=](double y) { return z0 + slope * y; };
}
std::function<double(double)> polynomial(std::vector<double> c) {
  return [c = std::move(c)](double y) {
    double sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * y + c[k];
    return sum;
  };
}

Zones s1002() {
  return {{-70.0, -62.764705882, arc(9.519259302, 1, 20.5, -49.5)},
          {-62.764705882, -49.662510381, arc(16, 1, 12, -55)},
          {-49.662510381, -39.764473993, arc(8.834924130, 1, 20, -58.558326413)},
          {-39.764473993, -38.426669071, line(-93.576667419, -2.747477419)},
          {-38.426669071, -35.0, arc(16.446, -1, 13, -26.210665)},
          {-35.0, -26.0,
           polynomial({-4.320221063e+3, -1.038384026e+3, -1.065501873e+2, -6.051367875, -2.054332446e-1,
                       -4.169739389e-3, -4.687195829e-5, -2.252755540e-7})},
          {-26.0, 32.15796,
           polynomial({0.0, -3.358537058e-2, 1.565681624e-3, -2.810427944e-5, 5.844240864e-8, -1.562379023e-8,
                       5.309217349e-15, -5.957839843e-12, 2.646656573e-13})},
          {32.15796, 60.0, line(1.364323640, -0.066666667)}};
}

Zones wheel_a() {
  return {{-70.0, -62.7647, arc(9.51926, 1, 20.5, -49.5)},
          {-62.7647, -49.6625, arc(16.00065, 1, 12, -55)},
          {-49.6625, -39.7645, arc(8.83556, 1, 20, -58.5583)},
          {-39.7645, -38.7372, line(-93.57685, -2.7475)},
          {-38.7372, -29.4591, arc(17.64215, -1, 14, -25.5816)},
          {-29.4591, -10.8749, arc(97.16493, -1, 96.76055, -2.6594)},
          {-10.8749, 18.4173, arc(344.50806, -1, 345, 18.4173)},
          {18.4173, 30.0, line(-0.49194, 0)},
          {30.0, 60.0, line(1.50804, -0.066666)},
          {60.0, 65.0, line(57.50808, -1)}};
}

Zones rail_a() {
  return {{-32.6340, -23.2401, arc(15.899044, -1, 13, -19.63949)},
          {-23.2401, -7.8749, arc(80.277908, -1, 80, -1.08250)},
          {-7.8749, 13.0989, arc(299.483490, -1, 300, 17.59660)},
          {13.0989, 28.6709, arc(79.508225, -1, 80, 14.29829)},
          {28.6709, 39.2705, arc(13.598369, -1, 13, 26.33535)}};
}

// Points along the curve, which may be vertical at an end of a zone, 20 um apart or less.
ProfilePoints sampled(const Zones& zones) {
  ProfilePoints p;
  const auto add = [&](double y, double z) { p.y.push_back(1e-3 * y), p.z.push_back(-1e-3 * z); };
  for (const Zone& zone : zones) {
    for (double y = zone.from; y < zone.to - 5e-3;) {
      add(y, zone.z(y));
      const double slope = (zone.z(std::min(y + 0.01, zone.to)) - zone.z(y)) / 0.01;
      y += 0.02 / std::hypot(1.0, slope);
    }
  }
  add(zones.back().to, zones.back().z(zones.back().to));
  return p;
}

// Half a head of arcs, by the angles at which they end, then a straight side face: radius mm, angle rad. The angles are those between the
// centres of rail A of EN 15302, which is this rail leant by 0.05 rad.
ProfilePoints uic60() {
  struct Arc {
    double radius, until;
  };
  std::vector<double> y{0}, z{0};
  double angle = 0, yc = 0, zc = 300;  // z down
  for (const Arc& a : {Arc{300, 0.0350075}, Arc{80, 0.2306275}, Arc{13, std::atan(20.0)}}) {
    if (a.radius < 300) yc = y.back() - a.radius * std::sin(angle), zc = z.back() + a.radius * std::cos(angle);
    const int pieces = static_cast<int>(std::ceil(a.radius * (a.until - angle) / 0.02));
    for (int k = 1; k <= pieces; ++k) {
      const double at = angle + (a.until - angle) * k / pieces;
      y.push_back(yc + a.radius * std::sin(at)), z.push_back(zc - a.radius * std::cos(at));
    }
    angle = a.until;
  }
  for (const double s = 0.02; z.back() < 36;)
    y.push_back(y.back() + s * std::cos(angle)), z.push_back(z.back() + s * std::sin(angle));
  ProfilePoints p;
  for (std::size_t k = y.size(); k-- > 1;) p.y.push_back(-1e-3 * y[k]), p.z.push_back(-1e-3 * z[k]);
  for (std::size_t k = 0; k < y.size(); ++k) p.y.push_back(1e-3 * y[k]), p.z.push_back(-1e-3 * z[k]);
  return p;
}

ProfilePoints points_of(std::string_view name) {
  if (name == "s1002") return sampled(s1002());
  if (name == "en15302_wheel_a") return sampled(wheel_a());
  if (name == "en15302_rail_a") return sampled(rail_a());
  return uic60();
}

}  // namespace

ProfilePtr fit_standard(const StandardProfile& which) {
  Shaping shaping{.name = which.name, .kind = which.kind, .smoothing = easing, .notes = {which.source}};
  shaping.given = points_of(which.name);
  return fit_profile(eased(shaping.given, easing), shaping);
}

}  // namespace skyhook::element::rail
