// The signed distance of a point from a plane curve z = h(x) (SPEC K10): positive above it. With the unit normal n and the
// tangent t at the foot point and the curvature k (positive in a valley) there
//
//   d = n . (r - foot),   grad d = n,   Hessian of d = -k / (1 - k d) t t^T
//
// A sphere that is rounder than every valley keeps 1 - k d > 0 while it touches.
#pragma once
#include "skyhook/math/vec.h"
#include "skyhook/model/function.h"

namespace skyhook::formalism::recursive {

struct ProfilePoint {
  double distance;
  Vec3d normal, tangent;
  double bend;  // -k / (1 - k d), 1/m
};

// r: in the axes of the curve, its y does not matter.
ProfilePoint nearest_on_profile(const model::Curve& profile, const Vec3d& r);

}  // namespace skyhook::formalism::recursive
