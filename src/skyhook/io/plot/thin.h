// From a curve to the lines that are worth drawing: gaps split it, and of many points in one pixel column only those
// remain that can be seen.
#pragma once
#include <vector>

#include "skyhook/io/plot/figure.h"
#include "skyhook/io/plot/scale.h"

namespace skyhook::io::plot {

struct Point {
  double x = 0, y = 0;
};
using Piece = std::vector<Point>;  // a line without gaps; one point: a dot

// In places of the paper. Where x never goes back, first, lowest, highest and last point of each column of
// `resolution` remain, so no peak is lost and the count is bounded by the width. Elsewhere (x-y plots) points that
// stay in one cell of half of it, and lines between cells that are drawn already, are dropped.
std::vector<Piece> pieces(const Curve& curve, const Axis& x_axis, const Axis& y_axis, const Scale& x, const Scale& y,
                          double resolution = 1.0);

}  // namespace skyhook::io::plot
