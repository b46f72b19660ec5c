// A law of motion whose first coordinate is the way along a track: what others must know of it.
#pragma once
#include <string>

#include "skyhook/model/track_line.h"

namespace skyhook::element {

struct AlongTrack {
  virtual ~AlongTrack() = default;
  virtual const model::TrackLine& followed_line() const = 0;
  virtual const std::string& track_name() const = 0;
  virtual double way_at_design() const = 0;  // where the coordinate is zero
};

}  // namespace skyhook::element
