// The surface z = h(x, t) in the axes of a frame, the same for all y: roads below wheels and the ground of contacts. A
// plane, a profile and a cosine bump on it, stairs, all of it lifted over time. Stairs cut it into segments, counted
// from 0: it is smooth within one, and goes on beyond its ends.
//
// The distance d of a point is positive above. With the unit normal n, the tangent t and the curvature k (positive in a valley) at the
// nearest point of the surface
//
//   d = n . (r - nearest),   grad d = n,   Hessian of d = -k / (1 - k d) t t^T.
//
// A sphere that is rounder than every valley keeps 1 - k d > 0 while it touches.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "skyhook/math/from_derivatives.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/function.h"

namespace skyhook::model {

class Surface {
 public:
  struct Stair {
    double at, rise;  // towards larger x
  };
  struct Parts {
    std::optional<Curve> profile = {};  // over x
    double bump_height = 0, bump_length = 1, bump_at = 0;
    std::vector<Stair> stairs = {};   // in rising order
    std::optional<Motion> lift = {};  // over t
  };
  Surface() = default;  // z = 0
  explicit Surface(Parts parts);
  explicit Surface(Curve profile) : Surface(Parts{.profile = std::move(profile)}) {}

  const Curve* profile() const { return parts_.profile ? &*parts_.profile : nullptr; }
  bool is_plane() const { return !parts_.profile && parts_.bump_height == 0.0; }  // within a segment

  // With its derivatives to x, and its rate where x stands still.
  struct Height {
    double value = 0, slope = 0, curvature = 0, rate = 0;
  };
  Height height(double x, double t = 0, int segment = 0) const;
  // h and its first three derivatives to x.
  std::array<double, 4> derivatives(double x, double t = 0, int segment = 0) const;
  // On dual numbers of up to three levels.
  template <class T>
  T height_of(const T& x, double t = 0, int segment = 0) const {
    return from_derivatives(x, derivatives(value_of(x), t, segment).data());
  }

  int segment_at(double x) const;
  // How far x is inside of the segment: from its begin, and from its end. Infinite where it has none.
  double behind_begin(double x, int segment) const;
  double before_end(double x, int segment) const;

  // Which of several points is the nearest: that next to the point below, or, of more evaluations, that of all.
  enum class Search { below, all };
  struct Foot {
    double x, distance;
    Vec3d normal, tangent;
    double bend;  // -k / (1 - k d), 1/m
  };
  // Of a surface without stairs that nothing lifts. r: its y does not matter.
  Foot foot(const Vec3d& r, Search search = Search::below) const;

  template <class T>
  struct Nearest {
    T distance;
    Vec3<T> normal;
  };
  // The same on dual numbers of up to two levels.
  template <class T>
  Nearest<T> nearest(const Vec3<T>& r) const {
    if (is_plane()) return {r.z, {T(0.0), T(0.0), T(1.0)}};
    const Foot f = foot({value_of(r.x), 0.0, value_of(r.z)});
    if constexpr (std::is_same_v<T, double>)
      return {f.distance, f.normal};
    else if constexpr (std::is_same_v<decltype(r.x.v), double>)
      return with_first_derivatives(f, r);
    else
      return with_derivatives(f, r);
  }

 private:
  template <class T>
  static Nearest<T> with_first_derivatives(const Foot& f, const Vec3<T>& r) {
    Nearest<T> out{T(f.distance), {T(f.normal.x), T(0.0), T(f.normal.z)}};
    for (std::size_t i = 0; i < out.distance.d.size(); ++i) {
      const double turn = f.bend * (f.tangent.x * r.x.d[i] + f.tangent.z * r.z.d[i]);
      out.distance.d[i] = f.normal.x * r.x.d[i] + f.normal.z * r.z.d[i];
      out.normal.x.d[i] = turn * f.tangent.x;
      out.normal.z.d[i] = turn * f.tangent.z;
    }
    return out;
  }
  // Newton's method for x of the foot: each step on dual numbers makes one more order of its derivatives exact.
  template <class T>
  Nearest<T> with_derivatives(const Foot& f, const Vec3<T>& r) const {
    using std::sqrt;
    const std::array<double, 4> h = derivatives(f.x);
    const double rise = 1.0 + h[1] * h[1] + (h[0] - value_of(r.z)) * h[2];
    T x(f.x);
    for (int level = 0; level < 2; ++level)
      x = x - (x - r.x + (from_derivatives(x, &h[0]) - r.z) * from_derivatives(x, &h[1])) * T(1.0 / rise);
    const T slope = from_derivatives(x, &h[1]), down = T(1.0) / sqrt(T(1.0) + slope * slope);
    const Vec3<T> normal{-slope * down, T(0.0), down};
    return {normal.x * (r.x - x) + normal.z * (r.z - from_derivatives(x, &h[0])), normal};
  }
  double nearest_of_scan(const Vec3d& r, double reach) const;

  Parts parts_;
  std::vector<double> levels_ = {0.0};  // height of each segment
};

}  // namespace skyhook::model
