// A length along, or an angle about, an axis that is fixed in frame A and not in a joint: what a scalar force between two frames
// may act on instead of their distance.
//
//   length   e . r
//   angle    the twist of S about e, where S = R R_design^T is swing times twist. With e' = S e its rate is (e + e') . w / (1 + e . e'):
//            what a constant-velocity joint passes on, alike for both frames, and e . w where the axes stay parallel.
//
// `unit` is the gradient, so that a force along it does the work that its energy says, at any inclination of the axes.
#pragma once
#include <cmath>
#include <numbers>

#include "skyhook/model/element.h"

namespace skyhook::model {

struct AxisCoordinate {
  Vec3d axis;  // unit, in axes of A
  bool turns = false;
  Mat3d R_design = Mat3d::identity();  // R where the angle is 0

  // Angles within half a turn; of axes that point against each other there is none.
  template <class T>
  T principal(const Relative<T>& m) const {
    const Vec3<T> e(axis);
    if (!turns) return dot(e, m.r);
    const Vec3d a = perpendicular(axis), b = cross(axis, a);
    const Vec3<T> Sa = turned(m.R, a), Sb = turned(m.R, b);
    using std::atan2;
    return atan2(dot(Vec3<T>(b), Sa) - dot(Vec3<T>(a), Sb), dot(Vec3<T>(a), Sa) + dot(Vec3<T>(b), Sb));
  }
  // Turns are counted from Setting::angles.
  template <class T>
  T value(const Relative<T>& m) const {
    const T x = principal(m);
    if (!turns) return x;
    constexpr double turn = 2 * std::numbers::pi;
    return x + T(turn * std::round((m.set.angles[0] - value_of(x)) / turn));
  }
  template <class T>
  Vec3<T> unit(const Relative<T>& m) const {
    const Vec3<T> e(axis);
    if (!turns) return e;
    const Vec3<T> there = turned(m.R, axis);
    return (T(1.0) / (T(1.0) + dot(e, there))) * (e + there);
  }
  template <class T>
  T rate(const Relative<T>& m) const {
    return dot(unit(m), turns ? m.w : m.v);
  }

 private:
  template <class T>
  Vec3<T> turned(const Mat3<T>& R, const Vec3d& a) const {
    return R * Vec3<T>(transpose_times(R_design, a));
  }
};

}  // namespace skyhook::model
