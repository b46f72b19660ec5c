// Tracks as a figure over the way: curvature, cant, heights, deviations, and their spectra.
#pragma once
#include <string>

#include "skyhook/analysis/track_survey.h"
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

struct NamedTrack {
  std::string name;
  analysis::TrackSurvey survey;
};
Figure figure_of(const std::vector<NamedTrack>& tracks);

}  // namespace skyhook::io::plot
