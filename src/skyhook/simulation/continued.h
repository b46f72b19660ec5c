// Angles that go round and quaternions have many values for one attitude. Of these the one is recorded that continues the last:
// full turns are counted, and a quaternion does not change its sign.
#pragma once
#include <array>

#include "skyhook/math/rotation.h"

namespace skyhook::simulation {

// The last values and their rates: of one angle, of three about axes that follow each other, or of a quaternion w, x, y, z.
struct LastValues {
  bool is_known = false;
  double t = 0;
  std::array<double, 4> value{}, rate{};
  bool has_jumped = false;  // of three angles: where the middle one comes to 90 degrees the two others are undefined
};

// The angle that differs from `angle` by full turns and lies nearest to `expected`.
double nearest_turn(double angle, double expected);
// The same, nearest to what the last value and its rate lead to expect. Without a last one: the angle as it is.
double continued_angle(const LastValues& last, int which, double angle, double t);
void remember_angle(LastValues& last, double angle, double rate, double t);
// Three angles of which the middle one lies within ±90 degrees; the rates are infinite where it ends.
void remember_angles(LastValues& last, const Vec3d& angles, const Vec3d& rates, double t);
// q or -q. `w`: angular velocity in body axes.
Quaternion<double> continued_quaternion(const LastValues& last, const Quaternion<double>& q, double t);
void remember_quaternion(LastValues& last, const Quaternion<double>& q, const Vec3d& w, double t);

}  // namespace skyhook::simulation
