// A motion that stays as it is: what is given of it (speed, yaw rate, spin), as velocities and accelerations of the coordinates at a
// position (docs/theory/13_equilibrium.md). At rest both vanish.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skyhook/math/vec.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// As the user gives it.
struct GivenMotion {
  double speed =
      0;  // m/s: of all ways along tracks; and of all that floats on a free joint, along x of the first such body as it stands at the start
  double yaw_rate = 0;                                    // rad/s about z, of what floats
  std::vector<std::pair<std::string, double>> spin = {};  // joint coordinates and their rates, in rad/s or m/s
  Location where = {"command line"};
  std::vector<std::string> rolling = {};  // of these, whose rates are found so that nothing drives or brakes them
  bool sideslip = false;                  // what floats may turn against its way so that no moment about z is needed
  std::string steer;  // a coordinate that is found with the sideslip so that no side force is needed (trim.h)
  double way = 0;     // m, by which what travels along tracks stands further on than at the start
  bool empty() const { return speed == 0 && yaw_rate == 0 && spin.empty() && way == 0; }
};

GivenMotion given_motion(const model::Experiment& experiment);
// The same, of the experiment that it starts from where there is one.
GivenMotion given_motion(const model::Model& model, const model::Experiment& experiment);

class SteadyMotion {
 public:
  SteadyMotion() = default;  // rest
  // Throws ModelError for a coordinate that is not there, is driven or cut, and where nothing floats or runs on a track that could have a speed. Drives lead
  // along tracks as `given` says (travelling() in track_motion.h).
  SteadyMotion(const simulation::Prepared& prepared, const GivenMotion& given);

  bool is_rest() const { return spins_.empty() && floats_.empty() && moving_drives_.empty(); }
  // Prescribed motions that go on with their rates; all others stand.
  const std::vector<int>& moving_drives() const { return moving_drives_; }
  // Velocity coordinates along which the given motion goes: their positions stay where they are.
  const std::vector<int>& held() const { return held_; }
  void hold(int iv) { held_.push_back(iv); }  // this one too, without a motion along it
  double yaw_rate() const { return yaw_rate_; }
  struct Floating {
    int iv, rotation;  // velocity coordinates of its displacement, and of its rotation; -1: it has Cardan angles
  };
  std::vector<Floating> floating() const;
  // Of the coordinates, all others zero; constraints may ask for more (Statics).
  void at(CSpan q, Span v, Span a) const;
  struct Coupling {
    int i, j;
    double velocity, acceleration;  // d v_i / d q_j, d a_i / d q_j
  };
  std::vector<Coupling> couplings(CSpan q) const;

 private:
  struct Spin {
    int iv;
    double rate;
    int iq = -1;      // of one that rolls: its rate changes with its angle, which nothing else asks for,
    double from = 0;  // from here on
  };
  struct Float {
    int iq, iv;      // of its displacement along x; those along y and z follow
    int rq, rv;      // of its rotation
    Vec3d from;      // of its point at displacement zero from the body that the speed is that of
    Vec3d velocity;  // of the latter
    // Of a wheelset: its axle in its axes, the spin at which the search begins, and how it stands then; as Spin, it carries its rate in its angle.
    Vec3d axle = {};
    double spin = 0;
    Mat3d at_start = Mat3d::identity();
  };
  static double spin_of(const Float& f, CSpan q);
  void add_spin(const simulation::Prepared& prepared, const std::string& name, double rate, const GivenMotion& given);
  void add_floats(const simulation::Prepared& prepared, const GivenMotion& given);
  void add_travel(const simulation::Prepared& prepared, const GivenMotion& given);
  void add_carried(const simulation::Prepared& prepared, const Vec3d& origin, const std::vector<char>& goes_along);

  double yaw_rate_ = 0;
  std::vector<Spin> spins_;
  std::vector<Float> floats_;
  std::vector<int> held_, moving_drives_;
};

}  // namespace skyhook::analysis
