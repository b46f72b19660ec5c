// The height, slope and curvature of a curve over x.
#pragma once
#include "skyhook/math/dual.h"
#include "skyhook/model/function.h"
#include "skyhook/model/relief.h"

namespace skyhook::model {

inline Bend bend_of(const Curve& curve, double x) {
  Dual<1, Dual<1>> twice(Dual<1>::variable(x, 0));
  twice.d[0] = Dual<1>(1.0);
  const auto z = curve.at(twice);
  return {.value = z.v.v, .x = z.v.d[0], .xx = z.d[0].d[0]};
}

}  // namespace skyhook::model
