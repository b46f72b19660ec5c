// A rolling wheel at its point of contact: creepages, the patch of the normal force, and the creep forces as a wrench on the wheel's frame
// (docs/theory/18_rigid_contact.md). For contacts whose normal force is known, so the patch follows from it.
#pragma once
#include "skyhook/element/rail/creep_law.h"
#include "skyhook/element/rail/wheel_touch.h"
#include "skyhook/model/element.h"

namespace skyhook::element::rail {

struct RollingOptions {
  std::shared_ptr<const CreepLaw> creep;  // none: it slides without friction
  Elastic material = {};
  Friction friction = {};
  double slowest = 0.01;  // m/s: creepages are over a speed that is not less
  // Axes of the patch along the rail and velocities as they are; or as the IVP test set has them [Simeon 1991], see simplified().
  enum class Creepages { exact, simplified };
  Creepages creepages = Creepages::exact;
  double middle_A = 1,
         middle_B = 1;  // of simplified ones: curvatures of the gap at the middle of the profiles, see simplified()
};

// Of the contact point, in axes of the rail's frame.
template <class T>
struct Rolling {
  Vec3<T> arm, ahead, across, normal;  // from the wheel's frame; unit vectors, the normal points to the wheel
  T slide_x, slide_y, spin;            // m/s, m/s, rad/s of the wheel against the rail
  T speed;                             // mean of travel and circumference
  T rho, A, B;                         // rolling radius; curvatures of the gap, along and across
};

namespace detail {
template <class T>
T curvature(const ProfileJet<T>& p) {  // positive in a valley
  using std::sqrt;
  const T square = p.y1 * p.y1 + p.z1 * p.z1;
  return (p.y1 * p.z2 - p.z1 * p.y2) / (square * sqrt(square));
}
}  // namespace detail

// As [Simeon 1991] has creepages: axes that yaw with the wheelset, by yaw / cos(angle), in which the lever and the axes of rotation are taken too; spin
// without what the roll of the axle adds to it. For comparison with published digits: on a cone the spin is off by roll / cone.
template <class T>
void simplify(const RollingOptions& with, const model::Relative<T>& m, Rolling<T>& out) {
  using std::atan2, std::cos, std::sin, std::sqrt;
  const Vec3<T> a = m.R.column(1);
  const T flat = sqrt(a.x * a.x + a.y * a.y), yaw = atan2(-a.x, a.y), angle = atan2(-out.normal.y, out.normal.z);
  const Vec3<T> i{a.y / flat, -a.x / flat, T(0.0)},
      j{a.x / flat, a.y / flat, T(0.0)};  // ahead and left with the yaw alone
  const T roll_rate = dot(m.w, i), spin = dot(m.w, j) / flat, yaw_rate = m.w.z - spin * a.z;
  // From the axes of the wheelset to those that yaw further.
  const T more = yaw / cos(angle) - yaw, c = cos(more), s = sin(more);
  const auto further = [&](const Vec3<T>& v) { return Vec3<T>{c * v.x - s * v.y, s * v.x + c * v.y, v.z}; };
  const Vec3<T> w = spin * further(a) + roll_rate * further(i) + Vec3<T>{T(0.0), T(0.0), yaw_rate};
  const Vec3<T> around = cross(w, further(out.arm)), slide = m.v + around, rolls = around - m.v;
  const T ca = cos(angle), sa = sin(angle);
  out.ahead = further(i);
  const Vec3<T> left = further(j);
  out.across = {ca * left.x, ca * left.y, sa};
  out.slide_x = dot(slide, out.ahead), out.slide_y = dot(slide, out.across), out.spin = ca * yaw_rate - sa * spin;
  out.speed = sqrt(T(0.25) * dot(rolls, rolls) + T(with.slowest * with.slowest));
}

// The contact point in the mirror of a left wheel, from the rail's origin; the normal of the rail there, of unit length; rolling radius and curvatures of the gap.
template <class T>
struct TouchPlace {
  Vec3<T> at;
  T normal_y, normal_z, rho, A, B;
};

// The wheel touches at s with psi eliminated.
template <class T>
TouchPlace<T> touch_place(const WheelOnRail& of, const Axle<T>& axle, const T& s) {
  using std::sqrt;
  const WheelPoint<T> wheel = silhouette_point(of, axle, s);
  const RailFoot<T> foot = foot_on_rail(*of.rail, wheel.at.y, wheel.at.z);
  const T one = T(1.0) / foot.length;
  const T upright = sqrt(wheel.profile.y1 * wheel.profile.y1 + wheel.profile.z1 * wheel.profile.z1);
  return {wheel.at,
          -(foot.profile.z1 * one),
          foot.profile.y1 * one,
          wheel.rho,
          T(0.5) * wheel.profile.y1 / (upright * wheel.rho),
          T(0.5) * (detail::curvature(wheel.profile) - detail::curvature(foot.profile))};
}

template <class T>
Rolling<T> rolling_of(const WheelOnRail& of, const RollingOptions& with, const model::Relative<T>& m,
                      const TouchPlace<T>& at) {
  using std::sqrt;
  Rolling<T> out;
  out.arm = mirrored(of, at.at + Vec3<T>{T(0.0), T(of.rail_y), T(0.0)}) - m.r;
  out.normal = mirrored(of, Vec3<T>{T(0.0), at.normal_y, at.normal_z});
  const Vec3<T> around = cross(m.w, out.arm), slide = m.v + around, rolls = m.v - around;
  out.ahead = {T(value_of(rolls.x) < 0 ? -1.0 : 1.0), T(0.0), T(0.0)};
  out.across = cross(out.normal, out.ahead);
  out.slide_x = dot(slide, out.ahead), out.slide_y = dot(slide, out.across), out.spin = dot(m.w, out.normal);
  out.speed = sqrt(T(0.25) * dot(rolls, rolls) + T(with.slowest * with.slowest));
  out.rho = at.rho, out.A = at.A, out.B = at.B;
  if (with.creepages == RollingOptions::Creepages::simplified) simplify(with, m, out);
  return out;
}

template <class T>
Rolling<T> rolling_at(const WheelOnRail& of, const RollingOptions& with, const model::Relative<T>& m, const T& s) {
  return rolling_of(of, with, m, touch_place(of, axle_of(of, m.r, m.R), s));
}

// With creepages as [Simeon 1991] has them.
inline RollingOptions simplified(RollingOptions of, const WheelOnRail& place) {
  const ProfileJet<double> wheel = place.wheel->jet(0.0), rail = place.rail->jet(0.0);
  of.creepages = RollingOptions::Creepages::simplified;
  of.middle_A = 0.5 * wheel.y1 / (std::hypot(wheel.y1, wheel.z1) * (place.radius - wheel.z));
  of.middle_B = 0.5 * (detail::curvature(wheel) - detail::curvature(rail));
  return of;
}

template <class T>
struct Creeping {
  Creep<T> creep;
  CreepForce<T> force;
};

// Two profiles that are curved alike touch along a line that no ellipse describes: its length is bounded by this curvature (1/m).
constexpr double least_curvature = 0.05;

// Of the patch under any load, and under this one. As [Simeon 1991] has it: of the shape it has in the middle of the profiles; its size follows the sum of the curvatures.
template <class T>
T bounded_across(const Rolling<T>& at) {
  return value_of(at.B) > least_curvature ? at.B : T(least_curvature);
}
template <class T>
HertzShape<T> patch_shape(const Rolling<T>& at, const RollingOptions& with) {
  if (with.creepages == RollingOptions::Creepages::exact) return hertz_shape(at.A, bounded_across(at), with.material);
  const HertzShape<double> middle = hertz_shape(with.middle_A, with.middle_B, with.material);
  return {T(middle.a), T(middle.b), T(middle.stiffness)};
}
template <class T>
HertzPatch<T> patch_under(const Rolling<T>& at, const HertzShape<T>& shape, const RollingOptions& with, const T& load) {
  if (with.creepages == RollingOptions::Creepages::exact) return patch_of_load(shape, load);
  return patch_of_load(shape, load * T(with.middle_A + with.middle_B) / (at.A + bounded_across(at)));
}

template <class T>
Creeping<T> creep_at(const Rolling<T>& at, const HertzShape<T>& shape, const RollingOptions& with, const T& load) {
  const T one = T(1.0) / at.speed;
  const HertzPatch<T> patch = patch_under(at, shape, with, load);
  const Creep<T> creep{at.slide_x * one,
                       at.slide_y * one,
                       at.spin * one,
                       load,
                       patch.a,
                       patch.b,
                       with.friction.at(at.slide_x, at.slide_y)};
  return {creep, creep_force(*with.creep, creep)};
}
template <class T>
Creeping<T> creep_at(const Rolling<T>& at, const RollingOptions& with, const T& load) {
  return creep_at(at, patch_shape(at, with), with, load);
}

template <class T>
void add_creep_force(const Rolling<T>& at, const CreepForce<T>& force, model::Wrench<T>& on_wheel) {
  const Vec3<T> f = force.x * at.ahead + force.y * at.across;
  on_wheel.f += f;
  on_wheel.n += cross(at.arm, f) + force.moment * at.normal;
}

}  // namespace skyhook::element::rail
