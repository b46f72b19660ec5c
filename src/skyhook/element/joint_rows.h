// The conditions of the lower pairs, composed from a few sets of rows. Each set is independent and exact for
// all motions that the joint allows, not only near the design position.
#pragma once
#include <initializer_list>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::element {

using Rows = std::vector<model::ConstraintRow>;

// Right-handed orthonormal: e the joint's axis, u and v across it.
struct Triad {
  Vec3d e, u, v;
};
inline Triad triad(const Vec3d& unit_axis) {
  const Vec3d u = perpendicular(unit_axis);
  return {unit_axis, u, cross(unit_axis, u)};
}

// The joint's points keep their distance zero along the given directions, which are fixed in `from`.
inline Rows no_motion_along(std::initializer_list<Vec3d> directions) {
  Rows rows;
  for (const Vec3d& a : directions) rows.push_back({model::ConstraintRow::Kind::translation, a, {}});
  return rows;
}
// a (in `from`) stays perpendicular to b (in `to`): takes the rotation about b × a away.
inline model::ConstraintRow perpendicular_row(const Vec3d& a, const Vec3d& b) {
  return {model::ConstraintRow::Kind::perpendicular, a, b};
}
// The axis of `to` stays parallel to that of `from`: leaves the rotation about it.
inline Rows parallel_axis(const Triad& t) { return {perpendicular_row(t.u, t.e), perpendicular_row(t.v, t.e)}; }
// No rotation at all.
inline Rows fixed_orientation(const Triad& t) {
  return {perpendicular_row(t.u, t.e), perpendicular_row(t.v, t.e), perpendicular_row(t.u, t.v)};
}

inline Rows operator+(Rows a, const Rows& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace skyhook::element
