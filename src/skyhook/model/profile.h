// The cross-section of a wheel or a rail: a plane curve (y(s), z(s)) by its length s, in axes of the vehicle (x ahead, y left, z up).
//
//        wheel, left (the axle is above)                rail, left
//
//     z ^                                             z ^
//       |   ______________                              |  .-----------.
//   y <-+                 |                         y <-+ |             |     origin: the top of the head
//          field     0     |    .-.                       |             |
//                           |  |                        field        gauge face
//                            --   flange
//          s > 0   s = 0   s < 0                        s > 0  s = 0  s < 0
//
// (seen from behind: y to the left, the middle of the track is on the right). One profile serves both sides: it is kept as that of
// the LEFT wheel or rail, so that y and s grow towards the field side and the flange or the gauge face is at negative y. The right one
// is its mirror image, y -> -y.
//
// Of a wheel z is minus what its radius exceeds that of the tape circle, r = r0 - z; origin: the tape circle, y = z = 0. Of a rail z is the height
// above the highest point of its head.
//
// Why by length and not z(y): flanges and side faces are nearly vertical, dz/dy has no bound there, and its curvature in z(y) says
// little. By length both functions and all their derivatives stay of one size everywhere, and an integral over s is one over the surface.
// s is the length to about one part in 1e4 (1e2 where a corner was rounded): code that wants a unit tangent divides.
//
// Four derivatives are continuous between first() and last(). Beyond, the curve goes on straight along its tangent, so that searches
// meet no wall; contains() tells.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/math/dual.h"

namespace skyhook::model {

template <class T>
struct ProfilePoint {
  T y, z;
};

// The point, and its derivatives to s.
template <class T>
struct ProfileJet {
  T y, z, y1, z1, y2, z2, y3, z3;
};

class Profile {
 public:
  struct Cell {
    std::array<double, 6> y, z;  // coefficients of the powers of s - (first + k step)
  };
  enum class Kind { wheel, rail, either };
  struct Parts {
    std::string name;
    Kind kind = Kind::either;
    double first = 0, step = 1;
    std::vector<Cell> cells{};
    double smoothing = 0;              // m: waves of this length are halved
    double deviation = 0;              // m: the largest distance of a given point from the curve
    double deviation_at = 0;           // m: y of it
    std::vector<std::string> notes{};  // source, what was done to it
  };
  explicit Profile(Parts parts);

  // Any scalar: double, duals, duals of duals.
  template <class T>
  ProfilePoint<T> at(const T& s) const {
    const Found f = find(value_of(s));
    const T u = s - T(f.begin);
    return {polynomial<0>(f.cell->y, u), polynomial<0>(f.cell->z, u)};
  }
  template <class T>
  ProfileJet<T> jet(const T& s) const {
    const Found f = find(value_of(s));
    const T u = s - T(f.begin);
    return {polynomial<0>(f.cell->y, u), polynomial<0>(f.cell->z, u), polynomial<1>(f.cell->y, u),
            polynomial<1>(f.cell->z, u), polynomial<2>(f.cell->y, u), polynomial<2>(f.cell->z, u),
            polynomial<3>(f.cell->y, u), polynomial<3>(f.cell->z, u)};
  }

  double first() const { return parts_.first; }
  double last() const { return last_; }
  bool contains(double s) const { return s >= first() && s <= last(); }
  double angle(double s) const;      // of the tangent: atan2(dz, dy); a flange of a left wheel rises towards s > 0
  double curvature(double s) const;  // 1/m, positive where the tangent turns up as s grows (a valley)

  // The part about s = 0 on which y grows with s, and s of a y on it; beyond its ends: that end.
  double first_y() const { return first_y_; }
  double last_y() const { return last_y_; }
  double s_at(double y) const;
  // z over y on that part, with all derivatives: for those who want a function. Slopes must stay finite.
  template <class T>
  T height(const T& y) const;

  // y of the point furthest to the gauge side within a depth below the top: the gauge face of a rail.
  double gauge_face(double depth) const;

  const Parts& parts() const { return parts_; }
  const std::string& name() const { return parts_.name; }

 private:
  struct Found {
    const Cell* cell;
    double begin;
  };
  Found find(double s) const {
    if (s < parts_.first) return {&before_, parts_.first};
    if (s > last_) return {&behind_, last_};
    const auto k = std::min(static_cast<std::size_t>((s - parts_.first) * per_step_), parts_.cells.size() - 1);
    return {&parts_.cells[k], parts_.first + static_cast<double>(k) * parts_.step};
  }
  void look_along_y();
  double rough_s_at(double y) const;
  // The derivative of that order.
  template <int order, class T>
  static T polynomial(const std::array<double, 6>& c, const T& u) {
    constexpr auto factor = [](int p) {
      double f = 1;
      for (int k = 0; k < order; ++k) f *= p - k;
      return f;
    };
    T sum(factor(5) * c[5]);
    for (int p = 4; p >= order; --p) sum = sum * u + T(factor(p) * c[static_cast<std::size_t>(p)]);
    return sum;
  }

  Parts parts_;
  double last_ = 0, per_step_ = 1;
  Cell before_{}, behind_{};                                         // straight
  double grows_from_ = 0, grows_to_ = 0, first_y_ = 0, last_y_ = 0;  // s and y of the part that is a function of y
  std::vector<double> rough_s_;                                      // at even y over that part
};
using ProfilePtr = std::shared_ptr<const Profile>;

// Newton's iteration on duals: each pass makes one more order of derivatives exact, the value being exact from the start.
template <class T>
T Profile::height(const T& y) const {
  T s(s_at(value_of(y)));
  for (int pass = 0; pass < 4; ++pass) {
    const ProfileJet<T> j = jet(s);
    s = s - (j.y - y) / j.y1;
  }
  return at(s).z;
}

}  // namespace skyhook::model
