// A table that formulas call by its name: one number over another, read as a monotone C1 curve.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/base/units.h"
#include "skyhook/math/lanes.h"
#include "skyhook/math/spline.h"

namespace skyhook::expression {

struct Table {
  std::string name;
  Dimension of_x, of_y;
  MonotoneCubic curve;
};

using Tables = std::vector<std::shared_ptr<const Table>>;

std::shared_ptr<const Table> find_table(const Tables& all, const std::string& name);  // nullptr: there is none

template <class T>
T look_up(const MonotoneCubic& curve, const T& x) {
  return curve.evaluate(x);
}
inline Lanes look_up(const MonotoneCubic& curve, const Lanes& x) {
  return map(x, [&](double a) { return curve.evaluate(a); });
}

}  // namespace skyhook::expression
