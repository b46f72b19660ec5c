// How the railway tracks of a model look, as JSON for the viewer: lines as few places between which a cubic is drawn, how the rails deviate from
// them, and the profiles of wheels and rails.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// A place of a line: the way, where it is, and how the line goes on, in the axes of the frame that carries the track (model/track_line.h).
struct TrackStation {
  double s = 0;
  Vec3d at;
  double heading = 0, climb = 0, tilt = 0;
};

// From `first` to `last`. Cubics through places and tangents are within 1 mm of the line, and lines between the tilts within 0.2 mrad.
std::vector<TrackStation> stations_of(const model::TrackLine& line, double first, double last);

// The track that a contribution stands on, whose frame has its name, or along which a joint leads; nullptr: none.
const model::Track* track_below(const model::Model& model, const model::Contribution& what);
const model::Track* track_of(const model::Model& model, const model::Joint& joint);

// All tracks on which something stands or moves. "tracks": [{"name", "body", "at", "quaternion", "gauge", "base", "rail": profile, "rail_y",
//   "passed": [first, last] m along the line at the speed of the start, "length": m or null of one without end,
//   "stations": [s, x, y, z, heading, climb, tilt, ...] of a line of up to 20 km all of it, of longer ones what is passed and some more,
//   "deviations": {"first", "step", "gauge": [micrometres, ...], "alignment", "level", "cross_level"} where there are any, "left_out": m of what is
//   passed, where that is too long, "changes": [{"begin": m, "over", "profile", "rail_y"}, ...] of rails whose profile changes}, ...],
// "profiles": [{"name", "points": [y, z, ...]}, ...] of wheels and rails as left ones.
class TrackScene {
 public:
  TrackScene(const Prepared& prepared, double duration);
  bool is_empty() const { return tracks_.empty(); }
  std::string json() const;  // members of the scene: ,"tracks":[...],"profiles":[...]
  // Of a wheel on a rail: ,"rail":{"track", "side": 1 left or -1, "radius", "half", "rail_y", "wheel": profile, "profile": that of the rail, "changes" as above}; else nothing.
  std::string wheel_json(const model::Contribution& what) const;

 private:
  struct Shown {
    const model::Track* track;
    double first, last;  // passed
  };
  void find(const Prepared& prepared, double duration);
  void see(const model::Track* track, double s, double way);
  int profile(const model::Profile* profile);
  int known(const model::Profile* profile) const;
  std::string track_json(const Shown& shown) const;
  std::string changes_json(const model::Contribution& what) const;

  const model::Model& model_;
  std::vector<Shown> tracks_;
  std::vector<const model::Profile*> profiles_;
  std::vector<int> rail_of_track_;  // profile
  std::vector<double> rail_y_;
  std::vector<std::string> changes_;  // of each, members of its object
};

}  // namespace skyhook::simulation
