// Shape functions of nodal coordinates along an element, and rules of integration there (docs/theory/24_ancf.md, (24.2)).
#pragma once
#include <vector>

#include "skyhook/flexible/ancf_station.h"

namespace skyhook::flexible {

// A point of a rule over [0, 1].
struct AncfPoint {
  double at, weight;
};
std::vector<AncfPoint> ancf_gauss(int points);

// The shape function of a vector at one end of an element of length L, with derivatives by x: those of r and r_x are Hermite's cubics, those of
// r_y and r_z are y and z times straight lines, which are what stands here.
struct AncfShape {
  double value, slope, curvature;
};
AncfShape ancf_shape(AncfVector v, bool at_end, double xi, double length);

}  // namespace skyhook::flexible
