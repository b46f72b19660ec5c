// How far two runs of one model are apart, in the measure in which integrators control their errors.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// The states q, v of one run at its output times.
struct Trajectory {
  std::vector<double> time;
  std::vector<std::vector<double>> states;
};

struct StateLayout {
  int nq = 0, nv = 0;
  std::vector<int> quaternions;  // first of the four coordinates of each
};
StateLayout layout_of(const simulation::Equations& equations);

struct StateError {
  double positions = 0, velocities = 0;
};

// positions: the largest, over coordinates i and output times t, of
//   |q_i(t) - q_i,ref(t)| / max(1, max_t |q_i,ref|),
// in m and rad where the motion is small and relative to it where it is large, as tolerances act. A quaternion counts as
// one coordinate: the angle in rad between the two rotations, whatever the sign of either. velocities: the same of v.
// NaN for both if the output times are not the same.
StateError state_error(const Trajectory& run, const Trajectory& reference, const StateLayout& layout);

// The first output time with a state that is NaN or infinite.
std::optional<double> first_not_finite(const Trajectory& run);

}  // namespace skyhook::analysis
