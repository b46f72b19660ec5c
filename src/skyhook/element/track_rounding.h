// A line without jumps of curvature beside one that has them, for coordinates along a track: their axes must turn at a finite rate.
//
// Over `reach` before and behind a jump by K the curvature is bent, with u from -1 to 1 between these two places:
//
//   K (P(u) + 1/2) is added before the jump, K (P(u) - 1/2) behind it,   P(u) = (45 u - 50 u^3 + 21 u^5)/32
//
// P is odd with P(1) = 1/2, P'(1) = 0 and int_0^1 u (P - 1/2) du = 0. So curvature and its slope go on, the heading is the old one behind the
// bend, and the place as well but for terms of second order (K^2 reach^3). Within it the line is at most
// `largest_deviation` K reach^2 aside.
#pragma once
#include "skyhook/model/track_line.h"

namespace skyhook::element {

constexpr double largest_deviation = 0.0075471;  // of the double integral of P - 1/2

// Where pieces are short, over half of the shorter one. Irregularities and widening of the gauge are not taken along.
model::TrackLine without_jumps(const model::TrackLine& line, double reach);

}  // namespace skyhook::element
