// Figures of channels of result files.
#pragma once
#include "skyhook/io/plot/figure.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io::plot {

enum class Panels { by_unit, by_channel, one };

struct ResultPlot {
  std::vector<std::string> channels;  // names, patterns and formulas (io/result/signals.h); none: the first six
  std::string x;                      // the channel of the x axis; none: time
  Panels panels = Panels::by_unit;
  std::optional<double> from, to;  // s
  std::string title;               // default: the model and the experiment
  bool log_x = false, log_y = false;
  bool degrees = false;  // angles in deg
};

// `other`: the same channels of another run, dashed. ModelError for channels that are not there.
Figure figure_of(const ResultFile& run, const ResultPlot& plot, const ResultFile* other = nullptr);

}  // namespace skyhook::io::plot
