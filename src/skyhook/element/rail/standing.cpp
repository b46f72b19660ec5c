#include "skyhook/element/rail/standing.h"

#include <cmath>

namespace skyhook::element::rail {

std::vector<model::Quantity> standing_quantities(const WheelOnRail& of) {
  std::vector<model::Quantity> all{{"YQ", "-", "Y over Q, derailment quotient; 0 where the wheel carries nothing"},
          {"along", "m", "way of the wheel along the track"},
          {"curvature", "1/m", "of the track there, positive to the left"},
          {"lateral", "m", "of the tape circle from the origin of the rail's profile, to the field side"},
          {"lift", "m", "of the tape circle's lowest point over the top of the rail"},
          {"roll", "rad", "of the axle against the track, left side up"},
          {"yaw", "rad", "of the axle against the track, to the left"}};
  if (of.static_load > 0) all.push_back({"unloading", "-", "dQ/Q0, how much less it carries than its static load"});
  return all;
}

void measure_standing(const WheelOnRail& of, const LinePtr& line, const model::Relative<double>& seen, double along, const OnTheRail& at, std::vector<double>& out) {
  const Axle<double> axle = axle_of(of, seen.r, seen.R);
  const Vec3d left = seen.R.column(1);
  out.insert(out.end(), {at.Q > 0 ? at.Y / at.Q : 0.0, along, line ? line->layout(along).curvature : 0.0, axle.centre.y, axle.centre.z - of.radius,
                         std::atan2(left.z, std::hypot(left.x, left.y)), std::atan2(-left.x, left.y)});
  if (of.static_load > 0) out.push_back(1 - at.Q / of.static_load);
}

}  // namespace skyhook::element::rail
