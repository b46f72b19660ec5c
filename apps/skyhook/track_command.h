// skyhook track MODEL [NAME]: what a railway track is like.
#pragma once
#include <optional>
#include <string>

#include "model_commands.h"

namespace skyhook::app {

struct TrackCommand : ModelOptions {
  std::string track;                     // empty: all of the model
  std::optional<double> from, to, step;  // m along the line; absent: all of it, in 20 steps
  bool spectrum = false;                 // of the deviations, in place of the rows
  std::string out;                       // picture
};
int track(const TrackCommand& options);

}  // namespace skyhook::app
