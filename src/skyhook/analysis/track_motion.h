// A steady motion along a track (docs/theory/13_equilibrium.md): which coordinates are ways that grow with the speed, which drives lead along, which wheels
// roll; and whether the track is the same everywhere below the vehicle, without which nothing is steady.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/steady_motion.h"

namespace skyhook::analysis {

// What of a model travels.
struct TrackTravel {
  struct Way {
    int joint, iq, iv;
  };
  std::vector<Way> ways;  // of track joints, in the state
  std::vector<int> led;   // prescribed motions that lead along a track, as formalism::prescribed_motions() numbers them
  std::vector<int> held;  // velocity coordinates: of what no drive leads along, the way of its heaviest body
  struct Rolling {
    int iq, iv;
    double radius;  // negative: it turns backwards as it rolls ahead
    std::vector<std::string> wheels = {};
  };
  std::vector<Rolling> rolling;  // what turns wheels on rails about their axles
  struct Wheelset {              // a body on a free joint that is one
    int body;
    Vec3d axle;  // in its axes at design
    double radius;
    std::vector<std::string> wheels = {};
  };
  std::vector<Wheelset> floating;
  bool empty() const { return ways.empty() && led.empty(); }
};
TrackTravel travel_of(const simulation::Prepared& prepared);
// Whether there is something of the kind, without asking for equations.
bool runs_on_track(const model::Model& model);

// The same vehicle moved along its tracks by given.way, with drives that lead it at given.speed from the start time on. A ModelError where a track is not the same
// all along the vehicle.
simulation::Prepared travelling(const simulation::Prepared& prepared, const GivenMotion& given);

// Of the first track below it.
struct TrackCourse {
  std::string track;
  double way = 0, radius = 0;           // m; radius of the line seen from above, to the left positive; 0: straight
  double cant = 0, climb = 0;           // rad, the left side is higher where it is positive; dz/ds
  double yaw_rate = 0, unbalanced = 0;  // rad/s; m/s^2 to the left, of the track over that of the weight
};
// Empty name: there is no track.
TrackCourse course_of(const simulation::Prepared& prepared, double speed);

}  // namespace skyhook::analysis
