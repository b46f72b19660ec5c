// Across a position where the constraints lose rank: Newton's method fails there although the motion goes on smoothly. A few
// Runge-Kutta steps with the accelerations carry the state over, then it is put back onto the constraints.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

// Classical fourth order; an empty state where the accelerations cannot be found.
formalism::State runge_kutta(const formalism::State& from, double h, Evaluator& evaluator);

struct Crossing {
  std::vector<formalism::State> path;  // from the origin on
  formalism::State end;                // put back onto the constraints
};
// From `origin`, a state at or shortly before the last one, which may stand too near to the singular position to start from.
// `all`: every constraint row. Refused where putting it back would move it much; `speed` is that of the motion, at least 1.
std::optional<Crossing> cross(const formalism::State& origin, double width, double speed, const Equations& all,
                              Evaluator& evaluator);

}  // namespace skyhook::simulation
