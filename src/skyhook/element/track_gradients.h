// Puts the gradients of a track into its pieces.
#pragma once
#include <vector>

#include "skyhook/model/track_layout.h"
#include "skyhook/model/track_piece.h"

namespace skyhook::element {

// Cuts the pieces where the gradient begins or ends to change. Beside it, the middle of the track rises by `lift` times the size of its tilt:
// half of the base where the inner rail keeps its height.
void climb(std::vector<model::TrackPiece>& pieces, const std::vector<model::GradientChange>& gradients, double lift);

// That of one piece, which tilts to one side.
void add_lift(model::TrackPiece& piece, double lift);

}  // namespace skyhook::element
