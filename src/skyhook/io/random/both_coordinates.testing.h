// The same model file in the coordinates of joints and in absolute ones: all channels must be there both ways, and tell the same. Run
// by radau5/ggl at a tolerance of 1e-10.
//
// Differences are relative to 1 + the largest value of the channel. A model on which ten times the tolerance already makes a tenth of
// the difference that is allowed tells nothing of the coordinates and is skipped.
#pragma once
#include <string>

namespace skyhook::io::testing {

struct BothCoordinates {
  std::string skipped;  // why the model is no reference; empty: it is
  std::string problem;  // why one of the runs failed, or which channel is missing; empty: none
  double motion = 0;    // largest difference of positions, velocities and energy,
  double loads = 0;     // and of accelerations, forces and reactions
  std::string worst_motion, worst_load;
  bool is_same() const { return problem.empty() && motion <= 1e-8 && loads <= 1e-6; }
};

// `text` is a model file with an experiment "run".
BothCoordinates try_both_coordinates(const std::string& text);

}  // namespace skyhook::io::testing
