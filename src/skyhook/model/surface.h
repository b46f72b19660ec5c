// The surface z = h(x, y, t) in the axes of the frame that carries it: roads below wheels and the ground of contacts. It is the sum
// of reliefs (relief.h), a profile over x and stairs, all of it lifted over time. Stairs cut it into segments along x, counted
// from 0: it is smooth within one, and goes on beyond its ends.
//
// The distance d of a point is positive above. With the unit normal n and the principal directions t1, t2 and curvatures k1, k2
// (positive in a valley) at the nearest point of the surface
//
//   d = n . (r - nearest),   grad d = n,   Hessian of d = -sum k_i / (1 - k_i d) t_i t_i^T.
//
// A sphere that is rounder than every valley keeps 1 - k d > 0 while it touches.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "skyhook/math/vec.h"
#include "skyhook/model/patch.h"
#include "skyhook/model/relief.h"

namespace skyhook::model {

// The road below a point. Friction is a factor on the coefficient of what touches it.
template <class T>
struct Below {
  T height;
  Vec3<T> normal;  // unit
  T rate;          // dh/dt where x and y stand still
  T friction;
};

// The same by its slopes dh/dx and dh/dy.
template <class T>
struct Slope {
  T height, x, y, rate, friction;
};

struct FrictionSlope {
  double value = 1, x = 0, y = 0;
};

class Surface {
 public:
  struct Stair {
    double at, rise;  // towards larger x
  };
  // The post of a rig: where the nearest one is this, the height follows its motion.
  struct Post {
    double x, y;
    Motion lift;
  };
  struct Parts {
    std::optional<Curve> profile = {};  // over x
    std::vector<std::shared_ptr<const Relief>> reliefs = {};
    std::vector<Stair> stairs = {};   // in rising order
    std::optional<Motion> lift = {};  // over t
    std::vector<Post> posts = {};
    double friction = 1;
    std::vector<Patch> patches = {};  // the last that holds a point counts
    double along = 1, across = 1;     // -1: mirrored, x or y of all that stands above runs against that of the frame
  };
  Surface() = default;  // z = 0
  explicit Surface(Parts parts);
  explicit Surface(Curve profile) : Surface(Parts{.profile = std::move(profile)}) {}

  const Parts& parts() const { return parts_; }
  const Curve* profile() const { return parts_.profile ? &*parts_.profile : nullptr; }
  bool is_plane() const { return !parts_.profile && parts_.reliefs.empty(); }  // within a segment
  bool varies_across() const { return varies_across_; }                        // else it is the same for all y
  // It has a nearest point that does not jump.
  bool is_smooth_and_still() const { return parts_.stairs.empty() && !parts_.lift && parts_.posts.empty(); }

  struct Height : Bend {
    double rate = 0;
  };
  Height height(double x, double y = 0, double t = 0, int segment = 0) const;
  double friction(double x, double y) const;
  FrictionSlope friction_slope(double x, double y) const;
  void look(double x, double y, TableLooks& looks) const;

  // On plain numbers, or dual ones of first order.
  template <class T>
  Slope<T> slope(const T& x, const T& y, double t, int segment = 0) const {
    const Height h = height(value_of(x), value_of(y), t, segment);
    const FrictionSlope f = friction_slope(value_of(x), value_of(y));
    return {over(x, y, h.value, h.x, h.y), over(x, y, h.x, h.xx, h.xy), over(x, y, h.y, h.xy, h.yy), T(h.rate),
            over(x, y, f.value, f.x, f.y)};
  }
  template <class T>
  Below<T> below(const T& x, const T& y, double t, int segment = 0) const {
    return below_of(slope(x, y, t, segment));
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
    double bend;  // -k1 / (1 - k1 d), 1/m
    double y = 0;
    Vec3d other_tangent = {0, 1, 0};
    double other_bend = 0;  // of k2
  };
  // Of a surface that is smooth and still.
  Foot foot(const Vec3d& r, Search search = Search::below) const;

  template <class T>
  struct Nearest {
    T distance;
    Vec3<T> normal;
  };
  // The same on plain numbers, or dual ones of first order.
  template <class T>
  Nearest<T> nearest(const Vec3<T>& r) const {
    if (is_plane()) return {r.z, {T(0.0), T(0.0), T(1.0)}};
    const Foot f = foot({value_of(r.x), value_of(r.y), value_of(r.z)});
    if constexpr (std::is_same_v<T, double>)
      return {f.distance, f.normal};
    else
      return with_derivatives(f, r);
  }

  template <class T>
  static Below<T> below_of(const Slope<T>& s) {
    using std::sqrt;
    const T up = T(1.0) / sqrt(T(1.0) + s.x * s.x + s.y * s.y);
    return {s.height, {-s.x * up, -s.y * up, up}, s.rate, s.friction};
  }

 private:
  static double over(double /*x*/, double /*y*/, double f, double /*fx*/, double /*fy*/) { return f; }
  template <int N>
  static Dual<N> over(const Dual<N>& x, const Dual<N>& y, double f, double fx, double fy) {
    Dual<N> out(f);
    for (std::size_t i = 0; i < out.d.size(); ++i) out.d[i] = fx * x.d[i] + fy * y.d[i];
    return out;
  }
  template <class T>
  static Nearest<T> with_derivatives(const Foot& f, const Vec3<T>& r) {
    Nearest<T> out{T(f.distance), {T(f.normal.x), T(f.normal.y), T(f.normal.z)}};
    for (std::size_t i = 0; i < out.distance.d.size(); ++i) {
      const Vec3d d{r.x.d[i], r.y.d[i], r.z.d[i]};
      const Vec3d turn =
          (f.bend * dot(f.tangent, d)) * f.tangent + (f.other_bend * dot(f.other_tangent, d)) * f.other_tangent;
      out.distance.d[i] = dot(f.normal, d);
      out.normal.x.d[i] = turn.x, out.normal.y.d[i] = turn.y, out.normal.z.d[i] = turn.z;
    }
    return out;
  }
  const Post& post_below(double x, double y) const;
  Foot foot_in_plane(const Vec3d& r, Search search) const;
  double value_along(double x) const;
  double nearest_of_scan(const Vec3d& r, double reach) const;
  Foot foot_in_space(const Vec3d& r, Search search) const;

  Parts parts_;
  bool varies_across_ = false;
  std::vector<double> levels_ = {0.0};  // height of each segment
};

}  // namespace skyhook::model
