// The scalar conditions that close loops and contacts, as laws over the relative motion of two frames ([Arnold 2004]
// (19)).
#pragma once
#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/model/model.h"
#include "skyhook/model/surface.h"

namespace skyhook::formalism::recursive {

// translation:   a · r - offset = 0              a fixed in A
// perpendicular: a · (R b) = 0                   a fixed in A, b in B
// distance:      (r · r - L(t)^2) / (2 L0) = 0
// profile:       d(r) - offset = 0               d distance from a surface of A
struct PairRow {
  enum class Kind { translation, perpendicular, distance, profile };
  Kind kind;
  Vec3d a, b;
  double length = 1;                      // L0
  const model::Motion* motion = nullptr;  // L(t)
  int row = -1;                           // among the active rows; -1: dropped as redundant
  int row_all = -1;                       // among all rows
  int input = -1;                         // L, L', L'' among the inputs
  double offset = 0;                      // radius of a contact
  const model::Surface* surface = nullptr;
};

// A row in global axes. Its rate (G v)_row is unit . w or unit . v with the angular velocity or velocity of B seen from A; a
// driven length takes its prescribed part away. So `unit` is also the moment, or the force at B's point, of a unit multiplier.
struct GlobalRow {
  Vec3d unit;
  Vec3d a, b;  // perpendicular: its two directions; profile: its principal tangents
  bool is_moment;
  double distance = 0, bend = 0, other_bend = 0;  // profile: see surface.h
};

inline model::Surface::Foot foot_on(const PairRow& c, const Vec3d& r) {
  return c.surface->foot(r, model::Surface::Search::all);
}

inline GlobalRow profile_row(const PairRow& c, const Pair& pair, const PairMotion& m, const std::vector<NodeState>& x) {
  const Mat3d axes = axes_of_a(pair, x);
  const model::Surface::Foot p = foot_on(c, transpose_times(axes, m.r_AB));
  return {axes * p.normal, axes * p.tangent, axes * p.other_tangent, false, p.distance, p.bend, p.other_bend};
}

inline GlobalRow global_row(const PairRow& c, const Pair& pair, const PairMotion& m, const std::vector<NodeState>& x) {
  if (c.kind == PairRow::Kind::distance) return {(1 / c.length) * m.r_AB, {}, {}, false};
  if (c.kind == PairRow::Kind::profile) return profile_row(c, pair, m, x);
  const Vec3d a = x[pair.A.node].R * (pair.A_aligned ? c.a : pair.A.axes * c.a);
  if (c.kind == PairRow::Kind::translation) return {a, {}, {}, false};
  const Vec3d b = x[pair.B.node].R * (pair.B_aligned ? c.b : pair.B.axes * c.b);
  return {cross(b, a), a, b, true};
}

// The line that computes G^T lambda: one column of G^T times its multiplier, as a wrench on B. It is that column because the power of
// the wrench is multiplier * (G v)_row whatever v is; forces on coordinates are made of it by project() (passes.h).
inline void add_multiplier(const GlobalRow& row, double multiplier, model::Wrench<double>& on_B) {
  (row.is_moment ? on_B.n : on_B.f) += multiplier * row.unit;
}

inline double position_of(const PairRow& c, const GlobalRow& row, const PairMotion& m, double length) {
  switch (c.kind) {
    case PairRow::Kind::translation: return dot(row.unit, m.r_AB) - c.offset;
    case PairRow::Kind::profile: return row.distance - c.offset;
    case PairRow::Kind::perpendicular: return dot(row.a, row.b);
    default: return 0.5 * (dot(row.unit, m.r_AB) - length * length / c.length);
  }
}

// For the relative velocity m.v_AB, w and acceleration rdd, wd of B seen from A, global axes.
inline double acceleration_of(const PairRow& c, const GlobalRow& row, const PairMotion& m, const Vec3d& w,
                              const Vec3d& rdd, const Vec3d& wd) {
  switch (c.kind) {
    case PairRow::Kind::translation: return dot(row.unit, rdd);
    case PairRow::Kind::profile: {
      const double along = dot(row.a, m.v_AB), across = dot(row.b, m.v_AB);
      return dot(row.unit, rdd) + row.bend * along * along + row.other_bend * across * across;
    }
    case PairRow::Kind::perpendicular: return dot(row.unit, wd) + dot(row.a, cross(w, cross(w, row.b)));
    default: return dot(m.v_AB, m.v_AB) / c.length + dot(row.unit, rdd);
  }
}

// The same as add_multiplier() in the axes of A, for reactions.
inline void add_row_wrench(const PairRow& c, const model::Relative<double>& m, double lambda,
                           model::Wrench<double>& out) {
  switch (c.kind) {
    case PairRow::Kind::translation: out.f += lambda * c.a; break;
    case PairRow::Kind::profile: out.f += lambda * foot_on(c, m.r).normal; break;
    case PairRow::Kind::perpendicular: out.n += lambda * cross(m.R * c.b, c.a); break;
    default: out.f += (lambda / c.length) * m.r; break;
  }
}

}  // namespace skyhook::formalism::recursive
