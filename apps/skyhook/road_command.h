// skyhook road MODEL|FILE.crg [NAME]: what a road is like.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model_commands.h"

namespace skyhook::app {

struct RoadCommand : ModelOptions {
  std::string road;                      // empty: all of the model
  std::optional<double> from, to, step;  // m along x; absent: as far as the road shows something, and 50 mm
  std::vector<double> y;                 // m; none: both tracks, 1.5 m apart, of a road that varies across, else 0
  std::string out;                       // picture
};
int road(const RoadCommand& options);

}  // namespace skyhook::app
