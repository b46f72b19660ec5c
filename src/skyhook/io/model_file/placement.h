// How an instance stands in the model: mirrored at coordinate planes, then displaced.
#pragma once
#include "skyhook/math/vec.h"

namespace skyhook::io::model_file {

// p -> S p + move with S = diag(sign).
struct Placement {
  Vec3d sign{1, 1, 1};
  Vec3d move;

  bool is_mirrored() const { return sign != Vec3d{1, 1, 1}; }
  bool is_moved() const { return move != Vec3d{}; }
  bool is_none() const { return !is_mirrored() && !is_moved(); }
};

// Component by component.
constexpr Vec3d times(const Vec3d& a, const Vec3d& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// First `inner`, then `outer`.
inline Placement operator*(const Placement& outer, const Placement& inner) {
  return {times(outer.sign, inner.sign), times(outer.sign, inner.move) + outer.move};
}

}  // namespace skyhook::io::model_file
