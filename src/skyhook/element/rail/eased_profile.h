// Curvatures that jump, eased: the angle of the tangent is averaged over a length with weights that rise and fall evenly, then the curve is laid
// out again from y = 0 on. Where the angle is linear (arcs, lines) nothing changes, so radii stay, and no curvature is ever beyond those on
// either side. A smoothing spline overshoots by 5 % of a jump, which would give profiles that nearly conform contacts that are not there. Behind
// a jump k of the curvature the curve is beside the given one by k length^2/48.
#pragma once
#include "skyhook/element/rail/profile.h"

namespace skyhook::element::rail {

// Points 20 um apart or so, in rising order along the profile.
ProfilePoints eased(const ProfilePoints& points, double length);

}  // namespace skyhook::element::rail
