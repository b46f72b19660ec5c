// Drives whose value or rate jumps. There the velocities change by an impulse of the drive, and integrators, which expect smooth
// equations, must begin anew. So the run is led to these instants and over them, and tells of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/model/model.h"
#include "skyhook/simulation/run_state.h"

namespace skyhook::simulation {

struct Jump {
  double t = 0, height = 0;
  bool of_value = false;  // else of the rate
};

// From `from` to `until`: those of the value, then of the rate, each in the order of time. At most one in 1/2000 of the time.
std::vector<Jump> find_jumps(const model::Motion& motion, double from, double until);

struct DriveJump {
  double t = 0;
  Location where = {};  // of the drive
  std::string warning = {};
};
struct DriveJumps {
  std::vector<DriveJump> first;  // of each drive that jumps
  std::vector<double> instants;  // all, in the order of time
  double span = 0;               // from `from` to `until`
  std::size_t next = 0;

  // Of the next one; infinity where there is none. A little before and behind it: at the jump itself a drive may be on either side.
  double left() const;
  double right() const;
  bool is_at(double t) const;
  void pass() { ++next; }
  double instant(
      double t) const;  // the jump that t is left or right of, else t: both sides of an event are stored with one time
};
DriveJumps drive_jumps(const model::Model& model, double from, double until);

std::string name_of_drive(const model::Model& model, const Owner& owner, int k);  // drive of joint "crank" (angle)
Location place_of_drive(const model::Model& model, const Owner& owner, int k);    // owner, k: see each_drive.h

// Why a run may have got stuck at t: "The drive of joint ... gives no finite number at t = ... ", there or within `width`
// behind it, for towards its end a drive often grows without bounds. Empty: they all do.
std::string drive_without_number(const model::Model& model, double t, double width);

}  // namespace skyhook::simulation
