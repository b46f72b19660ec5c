#include "skyhook/element/rail/contact_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/base/error.h"

namespace skyhook::element::rail {
namespace {

RailPair pair_of(ProfilePtr wheel, ProfilePtr rail, const RailMeasures& m) {
  if (!(m.gauge > 0 && m.flange_back > 0 && m.radius > 0 && m.gauge_depth >= 0))
    throw ModelError({}, "gauge, flange-back distance and radius of a wheelset are above zero.",
                     "Check their signs and units.");
  const double rail_y = m.gauge / 2 - rail->gauge_face(m.gauge_depth);
  return {std::move(wheel), std::move(rail), m.half(), m.radius, rail_y};
}

// How the height that lets a wheel touch changes with the roll: the point goes up by its lever to the side, and sideways, along the rail's slope,
// by that below the axle.
double height_by_roll(const RailContact& c, double shift) {
  return std::tan(c.angle) * (c.height - c.z) - (c.y - shift);
}

}  // namespace

RelativeCurvatures relative_curvatures(const RailContact& c) {
  const double cs = std::cos(c.skew), sn = std::sin(c.skew), round = c.rolling_curvature, profile = c.wheel_curvature;
  const double xx = round * cs * cs + profile * sn * sn, yy = round * sn * sn + profile * cs * cs + c.rail_curvature;
  const double xy = (round - profile) * cs * sn, mean = (xx + yy) / 2, apart = std::hypot((xx - yy) / 2, xy);
  return {(mean - apart) / 2, (mean + apart) / 2, xx / 2};
}

WheelsetOnTrack::WheelsetOnTrack(ProfilePtr left_wheel, ProfilePtr right_wheel, ProfilePtr left_rail,
                                 ProfilePtr right_rail, const RailMeasures& measures)
    : measures_(measures),
      left_(pair_of(std::move(left_wheel), std::move(left_rail), measures)),
      right_(pair_of(std::move(right_wheel), std::move(right_rail), measures)) {}

WheelsetContacts WheelsetOnTrack::at(const AxlePlace& place) const {
  WheelsetContacts out;
  out.roll = place.roll;
  out.left = left_.find(place), out.right = right_.find(place.mirrored());
  if (out.left.is_between || out.right.is_between) return out;
  const RailContact &l = out.left.contact(), &r = out.right.contact();
  out.height = std::max(l.height, r.height);
  out.delta_r = l.radius - r.radius;
  return out;
}

// Newton's method within a bracket: the difference of the heights has kinks where a contact jumps. A flange of more than about 70 deg has a slope of
// the wrong sign; the step goes by the distance of the contacts then.
std::optional<WheelsetContacts> WheelsetOnTrack::find(double shift, double yaw) const {
  double low = -0.3, high = 0.3, roll = 0;
  for (int pass = 0; pass < 200; ++pass) {
    const WheelsetContacts now = at({shift, roll, yaw});
    if (now.left.is_between || now.right.is_between) return std::nullopt;
    const RailContact &l = now.left.contact(), &r = now.right.contact();
    const double difference = r.height - l.height, levers = l.y + r.y;
    if (std::abs(difference) < 2e-15) return now;
    (difference < 0 ? low : high) = roll;
    const double slope = -height_by_roll(l, shift) - height_by_roll(r, -shift);
    const double step = std::clamp(-difference / (slope > 0.1 * levers ? slope : levers), -0.01, 0.01);
    const double next = roll + step > low && roll + step < high ? roll + step : (low + high) / 2;
    if (std::abs(next - roll) < 1e-15) return now;
    roll = next;
  }
  return std::nullopt;
}

}  // namespace skyhook::element::rail
