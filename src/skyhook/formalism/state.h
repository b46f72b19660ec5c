// Where a model is and how it moves.
#pragma once
#include <vector>

namespace skyhook::formalism {

struct State {
  double t = 0;
  std::vector<double> q, v;  // v with the inner states of forces behind the velocities
};

}  // namespace skyhook::formalism
