// Axes: the range that curves need, round numbers for ticks, and the way from a value to a place on the paper.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

struct Range {
  double low = 0, high = 1;
};

struct Tick {
  double value = 0;
  std::string label;
};

// The labels show value / 10^exponent; the exponent is a multiple of 3 and not 0 only for very large or small numbers.
struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;
  int exponent = 0;
};

// Round numbers (1, 2 or 5 times a power of ten) in the range, about `wanted` of them; on a logarithmic axis powers of
// ten, or 1, 2, 5 of each where the range is short.
Ticks ticks(const Range& range, bool logarithmic, int wanted);

// The range of all drawable points of an axis, with a margin that keeps curves off the frame. A constant gets some air
// around it; no point at all gives [0, 1] (logarithmic: [1, 10]).
Range range_of(const std::vector<Curve>& curves, const Axis& axis, bool of_x);

// Whether a value can be drawn on such an axis.
bool drawable(double value, bool logarithmic);

// From values to places: low is at `from`, high at `to`.
class Scale {
 public:
  Scale(const Range& range, bool logarithmic, double from, double to);
  double operator()(double value) const;

 private:
  bool logarithmic_;
  double low_, factor_, from_;
};

// "10³"
std::string power_of_ten(int exponent);

}  // namespace skyhook::io::plot
