// The line of a track: one smooth curve c(s) in space over its length s, with axes that turn with it. s runs forward, z is up:
//
//   heading' = curvature (positive: to the left),   tangent = (p cos heading, p sin heading, w),  w = dz/ds,  p = sqrt(1 - w^2)
//   level = (-sin heading, cos heading, 0),  up = tangent x level
//   axes: x = tangent,  y = cos a level + sin a up (to the left),  z = cos a up - sin a level     with the angle a of the cant
//
// c(s) is the middle between the tops of the rails. Before its begin and behind its end it goes on straight. Deviations of the rails from
// that are told apart (`rails`), in the axes of the line.
//
// The foot of a point r has tangent(s) . (r - c(s)) = 0: the place at which the point is seen from the line. Its derivatives follow from
// that equation, on dual numbers of any kind.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "skyhook/math/from_derivatives.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/irregularity.h"
#include "skyhook/model/track_piece.h"

namespace skyhook::model {

template <class T>
struct TrackPlace {
  Vec3<T> position;
  Mat3<T> axes;  // its columns: tangent, left, up
  Vec3<T> tangent() const { return axes.column(0); }
};

template <class T>
struct TrackFoot : TrackPlace<T> {
  T s;
};

// How far a rail is from its place in the track, in the axes of the line: to the left and up.
template <class T>
struct RailShift {
  T left, up;
};
template <class T>
struct RailShifts {
  RailShift<T> of_left, of_right;
};

// How often duals are nested: so many derivatives are read.
template <class T>
constexpr int levels_of = 0;
template <int N, class S>
constexpr int levels_of<Dual<N, S>> = levels_of<S> + 1;

// From `begin` on both rails have this profile, which comes in over that length.
struct RailChange {
  std::string rail;
  double begin = 0, over = 0;
};

struct TrackBegin {
  Vec3d at = {};
  double heading = 0;
};

class TrackLine {
 public:
  // Without pieces it is straight from end to end of the world, along x.
  TrackLine() = default;
  explicit TrackLine(std::vector<TrackPiece> pieces, TrackBegin begin = {},
                     std::shared_ptr<const Irregularity> irregularity = {});

  bool is_endless() const { return length_ == 0; }
  bool is_straight() const { return knots_.empty(); }  // along x, level
  bool is_even() const { return !irregularity_ && !widens_; }
  double length() const { return length_; }
  // Looks so far apart, in m, show all by which it is not straight and even; infinite: it is. Of its layout alone, and with its rails.
  double layout_grain() const;
  double grain() const;
  // In order; before the first it is the rail of the track.
  const std::vector<RailChange>& rail_changes() const { return rail_changes_; }
  void change_rails(std::vector<RailChange> changes) { rail_changes_ = std::move(changes); }
  const std::vector<TrackPiece>& pieces() const { return pieces_; }
  // Where the curvature jumps: what rides there is pushed aside at once, but for rounding.
  const std::vector<double>& jumps() const { return jumps_; }

  // On plain numbers, or on dual ones of up to four levels.
  template <class T>
  TrackPlace<T> place(const T& s) const {
    if (is_straight()) return {{s, T(0.0), T(0.0)}, Mat3<T>::identity()};
    const auto m = motion<levels_of<T> + 1>(value_of(s));
    return {lift(s, m.position), Mat3<T>::columns(lift(s, m.x), lift(s, m.y), lift(s, m.z))};
  }
  // `guess`: a place near to it, on the same part of the line; where it is infinite the nearest part is searched.
  double foot(const Vec3d& r, double guess) const;
  double foot(const Vec3d& r) const { return foot(r, std::numeric_limits<double>::infinity()); }
  // The same with the place, on numbers of any kind.
  template <class T>
  TrackFoot<T> at_foot(const Vec3<T>& r, double guess) const;
  template <class T>
  TrackFoot<T> at_foot(const Vec3<T>& r) const {
    return at_foot(r, std::numeric_limits<double>::infinity());
  }

  // On dual numbers of one level or two.
  template <class T>
  RailShifts<T> rails(const T& s) const {
    static_assert(levels_of<T> <= 2);
    if (is_even()) return {{T(0.0), T(0.0)}, {T(0.0), T(0.0)}};
    if constexpr (std::is_same_v<T, double>) {
      const Lanes d = deviation_values(s);
      return {{d[1] + 0.5 * d[0], d[2] + 0.5 * d[3]}, {d[1] - 0.5 * d[0], d[2] - 0.5 * d[3]}};
    }
    const Deviations d = deviations(value_of(s));
    const auto of = [&](const Deviations::Derivatives& f) { return from_derivatives(s, f.data()); };
    const T half_gauge = T(0.5) * of(d.gauge), middle = of(d.alignment), level = of(d.level);
    const T half_cross = T(0.5) * of(d.cross_level);
    return {{middle + half_gauge, level + half_cross}, {middle - half_gauge, level - half_cross}};
  }
  Deviations deviations(double s) const;  // that of the gauge with what the layout widens
  Lanes deviation_values(double s) const;

  // The layout at s: curvature, climb dz/ds, tilt (sine of the cant's angle), heading.
  struct Layout {
    double curvature = 0, climb = 0, tilt = 0, heading = 0, widening = 0;
  };
  Layout layout(double s) const;

 private:
  // As power series about a place.
  template <int N>
  struct Motion {
    std::array<Series<N>, 3> position, x, y, z;
  };
  // What of a piece does not change along it: then there is nothing to expand.
  struct Constancy {
    bool curvature, climb, tilt;
    bool is_arc() const { return curvature && climb; }
  };
  // Position, tangent and how that bends.
  struct Course {
    Vec3d at, tangent, bend;
  };
  struct Knot {  // begin of a piece, or a place within one from which the position is integrated
    double s;
    Vec3d at;
    double heading;
    int piece;
    double in_piece;  // way from the begin of the piece
  };
  template <class T, int N>
  static Vec3<T> lift(const T& s, const std::array<Series<N>, 3>& f) {
    static_assert(levels_of<T> < N);
    Vec3<T> out;
    for (int i = 0; i < 3; ++i) {
      std::array<double, N> d = f[static_cast<std::size_t>(i)].a;
      double factorial = 1;
      for (int k = 2; k <= levels_of<T>; ++k) d[static_cast<std::size_t>(k)] *= factorial *= k;
      out[i] = from_derivatives(s, d.data());
    }
    return out;
  }
  void add_knots(int piece);
  const Knot& knot_at(double s) const;
  Vec3d way_from(const Knot& knot, double x) const;
  template <int N>
  Motion<N> motion(double s) const;  // N from 1 to 6
  Course course(double s) const;
  void take_pieces(std::vector<TrackPiece> pieces);
  double nearest(const Vec3d& r) const;
  void find_jumps();
  void scatter();

  std::vector<TrackPiece> pieces_;
  std::vector<Constancy> constancy_;  // of each
  std::vector<Knot> knots_;
  std::vector<double> jumps_;
  std::vector<RailChange> rail_changes_;
  double length_ = 0;
  bool widens_ = false;
  std::shared_ptr<const Irregularity> irregularity_;
  // The plane in squares: which places of the line lie in each, sorted by the square.
  struct Seen {
    long long square;
    double s;
    Vec3d at, tangent;
  };
  std::vector<Seen> seen_;
  Seen first_{}, last_{};  // its ends
};

// Newton's iteration on dual numbers: each round doubles how many derivatives are right.
template <class T>
TrackFoot<T> TrackLine::at_foot(const Vec3<T>& r, double guess) const {
  if (is_straight()) return {{{r.x, T(0.0), T(0.0)}, Mat3<T>::identity()}, r.x};
  T s(foot({value_of(r.x), value_of(r.y), value_of(r.z)}, guess));
  if constexpr (levels_of<T> > 0) {
    const auto m = motion<levels_of<T> + 2>(value_of(s));
    const std::array bend{rate_of(m.x[0]), rate_of(m.x[1]), rate_of(m.x[2])};
    for (int right = 0; right < levels_of<T>; right = 2 * right + 1) {
      const Vec3<T> d = r - lift(s, m.position);
      s += dot(lift(s, m.x), d) / (T(1.0) - dot(lift(s, bend), d));
    }
    return {{lift(s, m.position), Mat3<T>::columns(lift(s, m.x), lift(s, m.y), lift(s, m.z))}, s};
  } else {
    return {place(s), s};
  }
}

}  // namespace skyhook::model
