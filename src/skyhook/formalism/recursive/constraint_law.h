// The scalar conditions that close loops, as laws over the relative motion of two frames (SPEC E2).
#pragma once
#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {

// translation:   a · r = 0                       a fixed in A
// perpendicular: a · (R b) = 0                   a fixed in A, b in B
// distance:      (r · r - L(t)^2) / (2 L0) = 0
struct PairRow {
  enum class Kind { translation, perpendicular, distance };
  Kind kind;
  Vec3d a, b;
  double length = 1;                      // L0
  const model::Motion* motion = nullptr;  // L(t)
  int row = -1;                           // among the active rows; -1: dropped as redundant
  int row_all = -1;                       // among all rows
  int input = -1;                         // L, L', L'' among the inputs
};

inline double row_position(const PairRow& c, const model::Relative<double>& m, double length) {
  switch (c.kind) {
    case PairRow::Kind::translation: return dot(c.a, m.r);
    case PairRow::Kind::perpendicular: return dot(c.a, m.R * c.b);
    default: return (dot(m.r, m.r) - length * length) / (2 * c.length);
  }
}

// d/dt of the row for the relative velocity v, w; the prescribed part of a driven length is left out (gI).
template <class T>
T row_velocity(const PairRow& c, const model::Relative<T>& m) {
  switch (c.kind) {
    case PairRow::Kind::translation: return dot(Vec3<T>(c.a), m.v);
    case PairRow::Kind::perpendicular: return dot(Vec3<T>(c.a), cross(m.w, m.R * Vec3<T>(c.b)));
    default: return T(1 / c.length) * dot(m.r, m.v);
  }
}

inline double row_acceleration(const PairRow& c, const model::Relative<double>& m, const Vec3d& rdd, const Vec3d& wd) {
  switch (c.kind) {
    case PairRow::Kind::translation: return dot(c.a, rdd);
    case PairRow::Kind::perpendicular: {
      const Vec3d b = m.R * c.b;
      return dot(c.a, cross(wd, b) + cross(m.w, cross(m.w, b)));
    }
    default: return (dot(m.v, m.v) + dot(m.r, rdd)) / c.length;
  }
}

// The wrench on B whose power is lambda times row_velocity: column of G^T seen from the frames.
template <class T>
void add_row_wrench(const PairRow& c, const model::Relative<T>& m, const T& lambda, model::Wrench<T>& out) {
  switch (c.kind) {
    case PairRow::Kind::translation: out.f += lambda * Vec3<T>(c.a); break;
    case PairRow::Kind::perpendicular: out.n += lambda * cross(m.R * Vec3<T>(c.b), Vec3<T>(c.a)); break;
    default: out.f += (lambda * T(1 / c.length)) * m.r; break;
  }
}

// The same for a unit multiplier, in global axes at B's point.
inline model::Wrench<double> unit_wrench(const PairRow& c, const PairMotion& m) {
  model::Wrench<double> w{};
  add_row_wrench(c, m.rel, 1.0, w);
  return {m.RA * w.f, m.RA * w.n};
}

}  // namespace skyhook::formalism::recursive
