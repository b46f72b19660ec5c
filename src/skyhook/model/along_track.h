// Who goes along the line of a track, and what others must know of it. Where a line crosses itself or goes round, a place in space is several places of the line. Only the
// coordinate of a joint along it tells them apart, so that laws on a track are told roughly how far along they are: Setting::way, Pose::way.
#pragma once
#include <string>

#include "skyhook/model/track_line.h"

namespace skyhook::model {

// Beside a law of motion whose first coordinate is the way along a track.
struct AlongTrack {
  virtual ~AlongTrack() = default;
  virtual const TrackLine& followed_line()
      const = 0;  // its coordinates follow that, the track itself but for jumps of its curvature
  virtual const TrackLine& laid_line() const = 0;
  virtual const std::string& track_name() const = 0;
  virtual double way_at_design() const = 0;  // where the coordinate is zero
};

// Beside the law of a contribution, of one that stands on a track.
struct OnTrackLine {
  virtual ~OnTrackLine() = default;
  virtual const TrackLine* track_line() const = 0;  // null: it is straight without end
};

}  // namespace skyhook::model
