// One part of a road: a height over x and y, smooth, with its derivatives to second order.
#pragma once
#include <limits>

#include "skyhook/model/tabulated.h"

namespace skyhook::model {

// A height with its derivatives to x and y.
struct Bend {
  double value = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  Bend& operator+=(const Bend& b) {
    value += b.value, x += b.x, y += b.y, xx += b.xx, xy += b.xy, yy += b.yy;
    return *this;
  }
};

struct Relief {
  virtual ~Relief() = default;
  virtual Bend at(double x, double y) const = 0;
  virtual bool varies_across() const { return false; }  // else it is the same for all y
  // Of unevenness that the ways at both sides do not share, the share of the variance that is gone at this y, where one passes over into the other.
  virtual double evened_out(double /*y*/) const { return 0; }
  // What it looks up in tables that end somewhere.
  virtual void look(double /*x*/, double /*y*/, TableLooks&) const {}
  // From where to where it has more to show than a plane, for pictures; without end where nobody knows.
  struct Span {
    double first = -std::numeric_limits<double>::infinity(), last = std::numeric_limits<double>::infinity();
  };
  virtual Span span() const { return {}; }
};

}  // namespace skyhook::model
