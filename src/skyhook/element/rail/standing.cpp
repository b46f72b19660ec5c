#include "skyhook/element/rail/standing.h"

#include <cmath>
#include <limits>

#include "skyhook/element/smooth_step.h"

namespace skyhook::element::rail {

double OnRail::grain(const model::Relative<double>& now) const {
  return (line() ? line()->grain() : std::numeric_limits<double>::infinity()) / norm(now.v);
}

void OnRail::look_ahead(const model::Relative<double>& now, const Times& times, std::span<double> seen) const {
  const WheelOnRail& of = on_rail();
  const model::TrackLine& way = *line();
  const Vec3d centre = now.r + of.side * of.half * now.R.column(1);
  const double s = way.foot(centre, now.set.way), rate = dot(way.place(s).tangent(), now.v);
  const auto count = static_cast<std::size_t>(times.count);
  for (std::size_t k = 0; k < count; ++k) {
    const double at = s + rate * (times.first + static_cast<double>(k) * times.step);
    const model::RailShifts<double> shifts = way.rails(at);
    const model::RailShift<double>& rail = of.side > 0 ? shifts.of_left : shifts.of_right;
    const model::TrackLine::Layout layout = way.layout(at);
    double come = 0;
    for (const model::RailChange& n : way.rail_changes()) come += smooth_step((at - n.begin) / n.over).value;
    const double values[] = {rail.left, rail.up, layout.curvature, layout.climb, layout.tilt, come};
    for (std::size_t i = 0; i < std::size(values); ++i) seen[i * count + k] = values[i];
  }
}

std::vector<model::Quantity> standing_quantities(const WheelOnRail& of) {
  std::vector<model::Quantity> all{
      {"YQ", "-", "Y over Q, derailment quotient; 0 where the wheel carries nothing"},
      {way_of_wheel, "m", "way of the wheel along the track"},
      {"curvature", "1/m", "of the track there, positive to the left"},
      {"lateral", "m", "of the tape circle from the origin of the rail's profile, to the field side"},
      {"lift", "m", "of the tape circle's lowest point over the top of the rail"},
      {"roll", "rad", "of the axle against the track, left side up"},
      {"yaw", "rad", "of the axle against the track, to the left"}};
  if (of.static_load > 0) all.push_back({"unloading", "-", "dQ/Q0, how much less it carries than its static load"});
  return all;
}

void measure_standing(const WheelOnRail& of, const LinePtr& line, const model::Relative<double>& seen, double along,
                      const OnTheRail& at, std::vector<double>& out) {
  const Axle<double> axle = axle_of(of, seen.r, seen.R);
  const Vec3d left = seen.R.column(1);
  out.insert(out.end(),
             {at.Q > 0 ? at.Y / at.Q : 0.0, along, line ? line->layout(along).curvature : 0.0, axle.centre.y,
              axle.centre.z - of.radius, std::atan2(left.z, std::hypot(left.x, left.y)), std::atan2(-left.x, left.y)});
  if (of.static_load > 0) out.push_back(1 - at.Q / of.static_load);
}

}  // namespace skyhook::element::rail
