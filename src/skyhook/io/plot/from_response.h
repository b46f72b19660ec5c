// A frequency response as a figure: gain, phase and coherence over frequency.
#pragma once
#include "skyhook/analysis/frequency_response.h"
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

struct ResponseCurve {
  std::string name, unit;  // of output/input
  std::vector<analysis::ResponseBand> bands;
};

// Gains of one unit share a panel.
Figure figure_of(const std::vector<ResponseCurve>& curves, const std::string& title);

}  // namespace skyhook::io::plot
