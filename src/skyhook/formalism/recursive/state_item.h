// A force element with inner states c ([Arnold 2004] (16)): where it acts, and how its length x and the rate v follow
// from the motion. docs/theory/09 has the equations.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "skyhook/formalism/recursive/cut_coordinate.h"
#include "skyhook/formalism/recursive/pair.h"

namespace skyhook::formalism::recursive {

// Length and rate between two frames; `unit` is the direction in which the length grows, of a force or of a moment on B.
template <class T>
struct Along {
  T x, v;
  Vec3<T> unit;
};

// Derivatives of x and v to one coordinate and its velocity, and the generalised force of a unit of compression.
struct StrokeGradient {
  double unit = 1, x = 1, v = 0, v_of_rate = 1;
};

struct StateItem {
  const model::Contribution* force;
  Pair pair;  // of the line or the cut joint; on a coordinate: nothing but `dofs`, which is this one
  std::optional<CutCoordinate> cut;  // measures the coordinate of a cut joint
  int iq = -1, iv = -1;              // coordinate in the tree; -1: it acts between frames
  double reference = 0;
  int first = 0, count = 0;  // its states among the velocity coordinates
  std::vector<int> slots;    // n x n as of other forces, in the tangent pattern
  std::vector<int> columns, rows,
      own;  // count x n: (dof, state) and (state, dof); count x count: (state k, state m) at k, m
  bool on_coordinate() const { return iv >= 0; }
  bool is_moment() const { return (cut && cut->turns()) || force->counts_turns(); }
  std::vector<int> coordinates() const {  // all that it couples
    std::vector<int> all = pair.dofs;
    for (int k = 0; k < count; ++k) all.push_back(first + k);
    return all;
  }
  template <class Span>
  Span states(Span v) const {
    return v.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }

  // Where two points coincide the line has no direction: x, v and the force are zero there.
  template <class T>
  Along<T> along(const model::Relative<T>& m) const {
    if (cut) return {cut->coordinate(m), cut->rate(m), cut->unit(m)};
    if (const auto& axis = force->axis) return {axis->value(m), axis->rate(m), axis->unit(m)};
    if (value_of(dot(m.r, m.r)) == 0.0) return {T(0.0), T(0.0), {}};
    const T length = norm(m.r);
    const Vec3<T> e = (T(1.0) / length) * m.r;
    return {length, dot(e, m.v), e};
  }

  // At a motion of the nodes: the stroke, and between frames what `m` and `unit` are there.
  model::Stroke<double> stroke(const std::vector<NodeState>& nodes, double t, std::span<const double> q,
                               std::span<const double> v, const model::Setting& set, PairMotion& m, Vec3d& unit) const {
    if (on_coordinate()) return {q[iq] + reference, v[iv], t, set};
    relative_motion(pair, nodes, t, m);
    m.rel.set = set;
    const Along<double> now = along(m.rel);
    unit = now.unit;
    return {now.x, now.v, t, set};
  }
};

}  // namespace skyhook::formalism::recursive
