// A smooth curve in space over a parameter s: a spline through points (s is the length of the chords; cubic, or quintic for ways that
// bodies follow), or three formulas of s. It tells its position with three or four derivatives, from which dual numbers of any kind are made,
// and the length of its arc, both ways.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "skyhook/expression/expression.h"
#include "skyhook/math/from_derivatives.h"
#include "skyhook/math/quintic_spline.h"
#include "skyhook/math/spline.h"
#include "skyhook/math/vec.h"

namespace skyhook::model {

class SpaceCurve {
 public:
  enum class Through { cubic, quintic };  // two or four continuous derivatives
  // Closed: the last point is joined to the first, which is not repeated. ModelError (without place) where points coincide.
  SpaceCurve(std::span<const Vec3d> points, bool closed, Through through = Through::cubic);
  SpaceCurve(std::array<expression::Expression, 3> of_s, double first, double last, bool closed);
  // A circle about the origin in the plane of x and z; s is the angle from x to z.
  explicit SpaceCurve(double radius);

  bool is_closed() const { return closed_; }
  double first() const { return first_; }
  double last() const { return last_; }
  double span() const { return last_ - first_; }
  bool has(double s) const {  // but for rounding
    const double beyond = 1e-9 * span();
    return closed_ || (s >= first_ - beyond && s <= last_ + beyond);
  }
  double length() const { return arc_.back(); }  // of the arc from first to last

  // Position and its first three derivatives to s. A closed curve goes round and round.
  std::array<Vec3d, 4> at(double s) const;
  Vec3d fourth(double s) const;  // the fourth one
  template <class T>
  Vec3<T> position(const T& s) const {
    return lift(s, at(value_of(s)), 0);
  }
  template <class T>
  Vec3<T> tangent(const T& s) const {  // the first derivative
    return lift(s, at(value_of(s)), 1);
  }
  template <class T>
  struct Place {
    Vec3<T> position, tangent;
  };
  template <class T>
  Place<T> place(const T& s) const {  // both, from one look at the curve
    const auto d = at(value_of(s));
    return {lift(s, d, 0), lift(s, d, 1)};
  }
  // The same for scalars of three levels, that take the third derivative of the tangent.
  template <class T>
  Place<T> deep_place(const T& s) const {
    const auto d = at(value_of(s));
    return {lift(s, d, 0), lift(s, {d[1], d[2], d[3], fourth(value_of(s))}, 0)};
  }
  // Length of the arc from first() on. Round a closed curve it counts on.
  template <class T>
  T arc(const T& s) const {
    const double at_s = value_of(s);
    const auto d = at(at_s);
    const double speed = norm(d[1]);
    const std::array<double, 3> f{arc_to(at_s), speed, dot(d[1], d[2]) / speed};
    return from_derivatives(s, f.data());
  }
  // The other way round: the parameter at which the arc has this length.
  template <class T>
  T parameter_at(const T& arc) const {
    const double s = find_arc(value_of(arc));
    const auto d = at(s);
    const double u = norm(d[1]), u1 = dot(d[1], d[2]) / u, u2 = (dot(d[2], d[2]) + dot(d[1], d[3]) - u1 * u1) / u;
    const double v = 1 / u;
    const std::array<double, 4> f{s, v, -u1 * v * v * v, (3 * u1 * u1 - u * u2) * v * v * v * v * v};
    return from_derivatives(arc, f.data());
  }
  double nearest(const Vec3d& p) const;  // of a number of samples
  double foot(const Vec3d& p) const;     // the same to the last digit: there the curve is perpendicular to the way to p
  struct Sample {
    double s;
    Vec3d p, tangent;  // unit
    double speed;      // length of the arc for each unit of s
  };
  const std::vector<Sample>& samples() const { return samples_; }

  // "it has a kink at ...", "it meets itself at ...": no contact variable would be certain there. Empty: it is smooth.
  std::string problem() const;
  // "its curvature jumps at ...": a body that follows it would have to turn at once. Empty: it does not.
  std::string jump_of_curvature() const;
  // A direction to which the curve is nowhere parallel, as far from it as can be: unit.
  Vec3d across() const;
  // The direction that the curve runs along least, in the mean: unit. Of a plane curve its normal.
  Vec3d binormal() const;

 private:
  template <class T>
  static Vec3<T> lift(const T& s, const std::array<Vec3d, 4>& d, int first) {
    Vec3<T> out;
    for (int i = 0; i < 3; ++i) {
      const std::array<double, 4> f{d[0][i], d[1][i], d[2][i], d[3][i]};
      out[i] = from_derivatives(s, f.data() + first);
    }
    return out;
  }
  void take_samples(int count);
  double speed(double s) const;
  double within(double s) const;  // of a closed curve on its first round
  template <class T>
  Vec3<T> evaluate(const T& s) const;  // but for circles
  double gap_between(std::size_t i, std::size_t j) const;
  void add_samples(double from, double to, int halvings);
  void add_sample(double s);
  bool has_kink(double from, double to) const;
  Vec3d curvature(double s) const;
  double arc_to(double s) const;
  double find_arc(double arc) const;
  double arc_between(double from, double to) const;

  struct Circle {
    double radius;
  };
  bool closed_;
  double first_ = 0, last_ = 1;
  std::variant<std::vector<CubicSpline>, std::array<expression::Expression, 3>, Circle, std::vector<QuinticSpline>>
      law_;
  std::vector<Sample> samples_;
  std::vector<double> arc_;  // length to each sample
  bool is_resolved_ = true;  // by the samples
};

}  // namespace skyhook::model
