// A coordinate of a joint that is cut: it is no state but follows from the pose of the joint's two frames. What it is called at the
// design position is left out. docs/theory/11 derives the formulas.
//
//   slide     a . r                     r, R: position and rotation of `to` seen from `from`
//   hinge     angle of R u against u about a, u across a
//   two hinges a, b across each other (universal):  of R b against b about a, and of a against R^T a about b
//   three hinges about x, y, z:         the Cardan angles of R
#pragma once
#include <array>
#include <cmath>
#include <numbers>

#include "skyhook/math/rotation.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {

class MeasuredCoordinate final : public model::ConditionsLaw<MeasuredCoordinate> {
 public:
  using Angles = std::array<double, 3>;  // of the joint's hinges, from design
  // Of a scalar coordinate that is no part of a ball and follows no guide.
  MeasuredCoordinate(const model::Joint& joint, int scalar);

  bool turns() const { return kind_ != Kind::slide; }
  int hinge() const { return part_; }  // number among the joint's hinges

  // Its principal value: angles within half a turn.
  template <class T>
  T principal(const Vec3<T>& r, const Mat3<T>& R) const {
    using std::atan2, std::sqrt;
    const auto turned = [](const Vec3<T>& axis, const Vec3<T>& a, const Vec3<T>& b) {
      return atan2(dot(axis, cross(a, b)), dot(a, b));
    };
    const Vec3<T> axis(axis_), other(other_);
    switch (kind_) {
      case Kind::slide: return dot(axis, r);
      case Kind::hinge:
      case Kind::first: return turned(axis, other, R * other);
      case Kind::second: return turned(axis, transpose_times(R, other), other);
      default: break;
    }
    if (part_ == 0) return atan2(-R.r1.z, R.r2.z);
    if (part_ == 2) return atan2(-R.r0.y, R.r0.x);
    return atan2(R.r0.z, sqrt(R.r0.x * R.r0.x + R.r0.y * R.r0.y));
  }

  // The value that continues `near`: sign * principal + offset. Beyond a middle angle of 90 deg Cardan angles have their other set.
  struct Turn {
    double sign = 1, offset = 0;
  };
  Turn turn(const Mat3d& R, const Angles& near) const;
  template <class T>
  T value(const Vec3<T>& r, const Mat3<T>& R, const Angles& near) const {
    const T x = principal(r, R);
    if (!turns()) return x;
    const Turn at = turn(value_of(R), near);
    return T(at.sign) * x + T(at.offset);
  }

  // The coordinate's rate is unit . w where it turns, unit . v else; a force on it acts along `unit`. In axes of `from`, where the
  // constraints of the joint hold.
  template <class T>
  Vec3<T> unit(const Mat3<T>& R, const Angles& near) const {
    if (kind_ == Kind::second) return R * Vec3<T>(axis_);
    if (kind_ != Kind::cardan) return Vec3<T>(axis_);
    const Vec3<T> a(Vec3d{1, 0, 0}), b = R * Vec3<T>(Vec3d{0, 0, 1}), c = cross(b, a);
    const T size2 = dot(c, c);
    using std::sqrt;
    if (part_ == 0) return (T(1.0) / size2) * cross(c, b);
    if (part_ == 2) return (T(1.0) / size2) * cross(a, c);
    return (T(turn(value_of(R), near).sign) / sqrt(size2)) * c;
  }

  // As a row of its own: the principal value. Its gradient and all derivatives follow (model/local_conditions.h).
  const model::Declared& declared() const override;
  template <class T>
  void law(const model::Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    g[0] = principal(x.r, x.R);
  }

 private:
  enum class Kind { slide, hinge, first, second, cardan };
  template <class T>
  static Mat3d value_of(const Mat3<T>& R) {
    using skyhook::value_of;
    return {{value_of(R.r0.x), value_of(R.r0.y), value_of(R.r0.z)},
            {value_of(R.r1.x), value_of(R.r1.y), value_of(R.r1.z)},
            {value_of(R.r2.x), value_of(R.r2.y), value_of(R.r2.z)}};
  }

  Kind kind_ = Kind::slide;
  int part_ = 0;
  Vec3d axis_, other_;
};

// One angle on the turn nearest to another.
inline double on_turn_near(double angle, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

}  // namespace skyhook::formalism::recursive
