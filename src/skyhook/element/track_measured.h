// The pieces of a track from tables over the way: curvature, cant and gradient as measured.
#pragma once
#include <vector>

#include "skyhook/math/spline.h"
#include "skyhook/model/track_piece.h"

namespace skyhook::element {

struct MeasuredCourse {
  const PiecewiseCubic* curvature;           // 1/m, positive to the left
  const PiecewiseCubic* cant = nullptr;      // m, positive where the right rail is the higher one
  const PiecewiseCubic* gradient = nullptr;  // rise over length, small enough to be the sine of its angle
};

// From 0 to where the curvature ends: a piece for each row of any of the tables. `lift`: see track_gradients.h.
std::vector<model::TrackPiece> measured_pieces(const MeasuredCourse& given, double base, double lift);

}  // namespace skyhook::element
