// A point that slides along a line of nodal coordinates (model/on_line.h): its place on the line, its two rows with their multipliers as forces on both sides, and the
// derivatives of these (docs/theory/24_ancf.md, (24.9) to (24.12)).
//
// With d = p - r(s), t = r', b = r'' at the foot s of p, and N_k what coordinate k of the line adds to r(s), the rate of a row g = n(t) . d is
//
//   P . (v_p - sum_k N_k v_k) + S . sum_k N'_k v_k,   P = n + k t,  S = m + k d,  m = dn/dt^T d,  k = m . b / (t.t - b.d)
//
// since s follows with ds = [t . (dp - N dq) + d . N' dq] / (t.t - b.d). On the line d and S are zero and P is n. All are functions of d, t, b alone.
#pragma once
#include <array>
#include <span>

#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/mesh_curve.h"

namespace skyhook::formalism::recursive {

// What the rows depend on: d, t, b above, and w, the velocity of the point against the line there.
template <class T>
struct LineLocal {
  Vec3<T> d, t, b, w;
};

// A force P on the point and its opposite on the line at s, with S on the tangent of the line; and how they change with d, t, b, w.
struct LineForce {
  Vec3d P, S;
  Mat3d P_of[4], S_of[4];
  void add(double factor, const LineForce& more);
};

struct LineRow {
  double g = 0;
  Vec3d P, S;
};

struct LinePoint {
  double s = 0;
  model::MeshCurve::Place place;
  LineLocal<double> at;
  Vec3d third;                   // r'''
  Vec3d u, u_slope, u_bend;      // velocity of the line at s: of r, r', r''
  Vec3d s_by_place, s_by_slope;  // ds = s_by_place . (dp - N dq) + s_by_slope . N' dq
  std::array<LineRow, 2> rows;

  double rate(const Vec3d& P, const Vec3d& S) const { return dot(P, at.w) + dot(S, u_slope); }
  double s_rate() const { return dot(s_by_place, at.w) + dot(s_by_slope, u_slope); }
  // What velocities alone make of the accelerations of the rows.
  std::array<double, 2> bends(const model::MeshCurve& curve) const;
  std::array<LineForce, 2> with_changes(const model::MeshCurve& curve) const;
  // The drag on the point, against the motion along the line; with_changes likewise, with the sign of multipliers: less what acts.
  Vec3d drag(double factor) const;
  LineForce drag_with_changes(double factor) const;
  double speed() const;  // m/s, along the line
};

// The point p with velocity v_p, the line at q with rates v; s is its foot there.
LinePoint line_point(const model::MeshCurve& curve, double s, const Vec3d& p, const Vec3d& v_p,
                     std::span<const double> q, std::span<const double> v);

// A step of the coordinates: what it makes of d at fixed s and of r', r'' of the line there, of w at fixed s, and of s.
struct LineStep {
  Vec3d away, slope, bend, w;
  double s = 0;
};
// What P and S become along it, s following.
struct LineChange {
  Vec3d P, S;
};
LineChange change_along(const LinePoint& point, const LineForce& force, const LineStep& step);

}  // namespace skyhook::formalism::recursive
