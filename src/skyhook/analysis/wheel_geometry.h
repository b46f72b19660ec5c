// What a wheel carrier does while the wheel travels: angles, offsets and centres, in the axes of the vehicle (x forward, y left, z up).
// Signs are those of ISO 8855; docs/kinematics.md has a picture of each.
//
// With the carrier's motion along the travel s as velocities (dr/ds, w), all that follows from positions is computed on dual numbers:
// its derivative is exact. With n the wheel's axis to the left, C its centre, P its contact point, A where the steering axis u (up) meets
// the ground, side = 1 on the left and -1 on the right:
//
//   camber    -side asin n_z                      top outwards positive
//   toe        side atan2(n_x, n_y)               front inwards positive
//   caster     atan2(-u_x, u_z)                   top rearwards positive
//   kingpin    atan2(-side u_y, u_z)              top inwards positive
//   trail      (A - P) . e_x                      A in front of P positive, e_x along the wheel
//   scrub     -side (A - P) . e_y                 A inside of P positive
//   P          C + r down, down being straight down in the wheel plane
//
// What follows from velocities, with P and C as points of the carrier, which the brake makes P of:
//
//   roll centre height   y_P dy_P/dz_P            where the line from P to the instant centre meets the centre plane, above the ground
//   support angle        atan(dx/dz)              of P under brakes at the wheel, of C under drive by shafts from the vehicle;
//                                                 positive where it supports: forward in bump at the front, rearward at the rear
#pragma once
#include "skyhook/formalism/frame.h"
#include "skyhook/math/dual.h"
#include "skyhook/model/kinematics.h"

namespace skyhook::analysis {

using AlongTravel = Dual<1>;  // a value with its derivative along s

struct WheelGeometry {
  AlongTravel travel;  // of the centre, up from design
  AlongTravel camber, toe, steer, track_change, wheelbase_change;
  AlongTravel x, y;  // of the contact point
  // NaN without a steering axis.
  AlongTravel caster, kingpin, trail, scrub;
  // NaN where the wheel does not go up or down.
  double roll_centre_height = 0, brake_support = 0, drive_support = 0;
  Vec3d contact, contact_rate;  // P, and its velocity as a point of the carrier
};

// A line on the carrier about which it steers: two points of it, or from its motion when the steering moves by a unit.
struct SteeringAxis {
  Vec3d point, direction;                      // in the axes of the vehicle, direction up
  Vec3d point_rate = {}, direction_rate = {};  // along s: a virtual axis wanders in the carrier
};

class WheelCarrier {
 public:
  WheelCarrier(const formalism::EquationsOfMotion& eq, const model::Kinematics::Carrier& given);

  // The velocities of the snapshot times `scale` are derivatives along s. `axis`: in place of the points on the carrier.
  WheelGeometry geometry(const formalism::Snapshot& s, double scale,
                         const std::optional<SteeringAxis>& axis = {}) const;
  // From velocities that are derivatives by the steering: the axis of the screw of the carrier. None: it does not turn.
  std::optional<SteeringAxis> screw_axis(const formalism::Snapshot& s) const;
  const model::Kinematics::Carrier& given() const { return *given_; }

 private:
  const model::Kinematics::Carrier* given_;
  formalism::Frame vehicle_, carrier_;
  Vec3d axis_, centre_;  // in the axes of the vehicle, at design
  Vec3d lower_, upper_;  // of the steering axis, from the centre
};

// Where the lines from both contact points to their instant centres meet, seen from behind: y, and z above the ground between them. NaN
// where they are parallel and apart.
struct RollCentre {
  double y, height;
};
RollCentre roll_centre(const WheelGeometry& left, const WheelGeometry& right);

}  // namespace skyhook::analysis
