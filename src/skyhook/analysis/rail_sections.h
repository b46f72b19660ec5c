// Sections of a track, as EN 14363 evaluates them: straight, curves by their radius, transitions; long ones are cut into pieces.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/signal.h"

namespace skyhook::analysis {

struct TrackSection {
  std::string
      zone;  // "straight", "large curve", "curve 400-600 m", "curve 250-400 m", "tight curve", "transition"; "track" where the curvature is not known
  double from = 0, to = 0;  // m of the distance
  double radius = 0;        // m, in the middle, positive to the left; 0: straight or not known
};

// By the curvature over the distance. Pieces shorter than a quarter of `length` are left out, longer ones cut into equal ones of about that length.
std::vector<TrackSection> track_sections(const Signal& curvature, double length);
// The same where nothing is known of the curvature.
std::vector<TrackSection> even_sections(double from, double to, double length);

}  // namespace skyhook::analysis
