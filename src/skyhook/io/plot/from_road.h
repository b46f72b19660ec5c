// Roads as a figure: heights along their tracks, and spectra against the classes of ISO 8608.
#pragma once
#include "skyhook/analysis/road_survey.h"
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

struct NamedSurvey {
  std::string name;
  analysis::RoadSurvey survey;
};
Figure figure_of(const std::vector<NamedSurvey>& roads);

}  // namespace skyhook::io::plot
