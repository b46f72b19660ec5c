#include "skyhook/analysis/wheel_geometry.h"

#include <cmath>

#include "skyhook/analysis/unknown.h"

namespace skyhook::analysis {
namespace {

using model::Kinematics;
using V = Vec3<AlongTravel>;

V moving(const Vec3d& value, const Vec3d& rate) {
  V out;
  for (int k = 0; k < 3; ++k) out[k] = AlongTravel(value[k]), out[k].d[0] = rate[k];
  return out;
}

V unit(const V& a) { return (AlongTravel(1.0) / norm(a)) * a; }

double side_of(const Kinematics::Carrier& wheel) { return wheel.side == model::Wheel::Side::right ? -1.0 : 1.0; }

// Straight down in the wheel plane, and the level line in it, forward.
struct Plane {
  V down, ahead;
};
Plane plane_of(const V& n) {
  const V up{0.0, 0.0, 1.0};
  const V ahead = unit(cross(n, up));
  return {cross(n, ahead), ahead};
}

void measure_steering(const V& point, const V& direction, const Plane& plane, const V& contact, double side,
                      WheelGeometry& out) {
  const V u = direction.z < AlongTravel(0.0) ? -direction : direction;
  out.caster = atan2(-u.x, u.z);
  out.kingpin = atan2(AlongTravel(-side) * u.y, u.z);
  const V ground = point + ((contact.z - point.z) / u.z) * u;
  const V up{0.0, 0.0, 1.0}, left = cross(up, plane.ahead);
  out.trail = dot(ground - contact, plane.ahead);
  out.scrub = AlongTravel(-side) * dot(ground - contact, left);
}

void measure_centres(const Vec3d& centre_rate, bool is_front, WheelGeometry& out) {
  const Vec3d &p = out.contact, &rate = out.contact_rate;
  const double forward = is_front ? 1.0 : -1.0;
  const bool goes_up = std::abs(centre_rate.z) > 1e-9;
  out.roll_centre_height = goes_up ? p.y * rate.y / rate.z : unknown;
  out.brake_support = goes_up ? std::atan(forward * rate.x / rate.z) : unknown;
  out.drive_support = goes_up ? std::atan(forward * centre_rate.x / centre_rate.z) : unknown;
}

}  // namespace

WheelCarrier::WheelCarrier(const formalism::EquationsOfMotion& eq, const Kinematics::Carrier& given) : given_(&given) {
  const bool on_ground = given.vehicle == model::ground;
  const model::Body* body = on_ground ? nullptr : &eq.model().bodies[static_cast<std::size_t>(given.vehicle)];
  const Mat3d axes = on_ground ? Mat3d::identity() : body->axes;
  const Vec3d origin = on_ground ? Vec3d{} : body->at;
  vehicle_ = formalism::frame_of(eq, given.vehicle, origin, axes);
  carrier_ = formalism::frame_of(eq, given.body, given.centre, axes);
  axis_ = transpose_times(axes, given.axis);
  centre_ = transpose_times(axes, given.centre - origin);
  if (given.steering_axis) {
    lower_ = transpose_times(axes, (*given.steering_axis)[0] - given.centre);
    upper_ = transpose_times(axes, (*given.steering_axis)[1] - given.centre);
  }
}

WheelGeometry WheelCarrier::geometry(const formalism::Snapshot& s, double scale,
                                     const std::optional<SteeringAxis>& given_axis) const {
  formalism::JointMotion m = motion_between(s, vehicle_, carrier_);
  m.v = scale * m.v, m.w = scale * m.w;
  const auto on_carrier = [&](const Vec3d& r) {  // a point at r from the centre, in axes of the carrier
    const Vec3d now = m.R * r;
    return moving(m.r + now, m.v + cross(m.w, now));
  };
  const Vec3d n_now = m.R * axis_;
  const V n = moving(n_now, cross(m.w, n_now)), centre = moving(m.r, m.v);
  const double side = side_of(*given_);
  const Plane plane = plane_of(n);
  const V contact = centre + AlongTravel(given_->radius) * plane.down;

  WheelGeometry out;
  out.travel = centre.z - AlongTravel(centre_.z);
  out.camber = AlongTravel(-side) * asin(n.z);
  out.steer = atan2(-n.x, n.y);
  out.toe = AlongTravel(-side) * out.steer;
  out.x = contact.x, out.y = contact.y;
  const Vec3d n0 = axis_;
  const V design = V(centre_) + AlongTravel(given_->radius) * plane_of(V(n0)).down;
  out.track_change = AlongTravel(side) * (contact.y - design.y);
  out.wheelbase_change = AlongTravel(given_->is_front ? 1.0 : -1.0) * (contact.x - design.x);
  out.caster = out.kingpin = out.trail = out.scrub = AlongTravel(unknown);
  for (AlongTravel* x : {&out.caster, &out.kingpin, &out.trail, &out.scrub}) x->d[0] = unknown;
  if (given_axis)
    measure_steering(moving(given_axis->point, given_axis->point_rate),
                     moving(given_axis->direction, given_axis->direction_rate), plane, contact, side, out);
  else if (given_->steering_axis)
    measure_steering(on_carrier(lower_), unit(on_carrier(upper_) - on_carrier(lower_)), plane, contact, side, out);
  for (int k = 0; k < 3; ++k) out.contact[k] = contact[k].v;
  out.contact_rate = m.v + cross(m.w, out.contact - m.r);
  measure_centres(m.v, given_->is_front, out);
  return out;
}

std::optional<SteeringAxis> WheelCarrier::screw_axis(const formalism::Snapshot& s) const {
  const formalism::JointMotion m = motion_between(s, vehicle_, carrier_);
  const double size = dot(m.w, m.w);
  if (!(size > 1e-18)) return {};
  // The point of the axis nearest to the centre: there the velocity is along w.
  const Vec3d point = m.r + (1.0 / size) * cross(m.w, m.v);
  const double sign = m.w.z < 0 ? -1.0 : 1.0;
  return SteeringAxis{point, (sign / std::sqrt(size)) * m.w};
}

RollCentre roll_centre(const WheelGeometry& left, const WheelGeometry& right) {
  // From P along d, which is across its velocity.
  const Vec3d &p = left.contact, &q = right.contact, &v = left.contact_rate, &w = right.contact_rate;
  const double py = -v.z, pz = v.y, qy = -w.z, qz = w.y;
  const double size = std::hypot(py, pz) * std::hypot(qy, qz), det = py * qz - pz * qy;
  const double dy = q.y - p.y, dz = q.z - p.z;
  if (!(std::abs(det) > 1e-9 * size)) {
    const bool is_one_line = std::abs(dy * pz - dz * py) <= 1e-9 * std::hypot(dy, dz) * std::hypot(py, pz);
    return is_one_line && size > 0 ? RollCentre{0.5 * (p.y + q.y), 0.0} : RollCentre{unknown, unknown};
  }
  const double along = (dy * qz - dz * qy) / det;
  const double y = p.y + along * py, z = p.z + along * pz;
  const double ground = dy != 0 ? p.z + (y - p.y) / dy * dz : 0.5 * (p.z + q.z);
  return {y, z - ground};
}

}  // namespace skyhook::analysis
