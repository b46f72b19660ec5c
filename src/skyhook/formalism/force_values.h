// What the elements of a model do at one motion: the motion that each of them sees, and its force.
#pragma once
#include <vector>

#include "skyhook/formalism/contribution_state.h"

namespace skyhook::formalism {

struct ForceValues {
  std::vector<double> signals;                     // continuous ones, by Model::continuous
  std::vector<model::Wrench<double>> wrenches;     // of force elements, in A's axes
  std::vector<model::Relative<double>> relatives;  // of force elements
  std::vector<double> coordinate_forces;
  struct StateForce {
    double x = 0, v = 0, pull = 0;  // length or coordinate, its rate, tension
    Vec3d f, n;                     // on B, global axes; between frames only
  };
  std::vector<StateForce> state_forces;  // of force elements with inner states
  std::vector<double> state_rates;       // c'
  std::vector<ContributionState> contributions;
};

}  // namespace skyhook::formalism
