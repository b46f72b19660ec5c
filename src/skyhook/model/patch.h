// Where a road has another friction.
#pragma once
#include <limits>

namespace skyhook::model {

// A rectangle of a road with another friction. Its edges are smooth: half of it holds at the edge, all of it half a `blend` inside.
struct Patch {
  double x_first = -std::numeric_limits<double>::infinity(), x_last = std::numeric_limits<double>::infinity();
  double y_first = -std::numeric_limits<double>::infinity(), y_last = std::numeric_limits<double>::infinity();
  double friction = 1;
  static constexpr double blend = 0.1;  // m
};

}  // namespace skyhook::model
