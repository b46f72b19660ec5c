// Curves of railway tracks that a bogie cannot pass, told before the run: because stops are reached (curve_stops.h), or because flanges climb. In a curve a bogie stands turned to its body (bogies.h). What the
// springs between them then ask for is found with the bogie's frame turned so at the start: a moment M about the vertical, which the rails hold by the flanges of its wheelsets, 2a
// apart. They press by M/(2a) where a wheel carries Q, and a flange climbs where that is more than Nadal's limit Q (tan b - f)/(1 + f tan b), with its angle b and friction f = 0.3. Friction of
// the treads, cant and speed are not counted: a curve of which nothing is said may still be too tight.
#pragma once
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

std::vector<Warning> tight_curves(const simulation::Prepared& prepared);

}  // namespace skyhook::analysis
