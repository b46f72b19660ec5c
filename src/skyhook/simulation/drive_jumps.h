// Drives whose value or rate jumps. A coordinate that follows its drive takes all it carries along, without impulse: what
// stands on it in relative coordinates is thrown, and the run goes on as if nothing had happened. So the run tells it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::simulation {

struct Jump {
  double t = 0, height = 0;
  bool of_value = false;  // else of the rate
};

// The first one found from `from` to `until`: first among those of the value, then of the rate.
std::optional<Jump> find_jump(const model::Motion& motion, double from, double until);

struct DriveJump {
  double t = 0;
  Location where = {};  // of the drive
  std::string warning = {};
};

// One for each coordinate of the tree whose drive jumps.
std::vector<DriveJump> drive_jumps(const formalism::recursive::Equations& equations, double from, double until);

// Why a run may have got stuck at t: "The drive of joint ... gives no finite number at t = ... ", there or within `width`
// behind it, for towards its end a drive often grows without bounds. Empty: they all do.
std::string drive_without_number(const formalism::recursive::Equations& equations, double t, double width);

}  // namespace skyhook::simulation
