// Where a model is and how it moves.
#pragma once
#include <vector>

namespace skyhook::formalism {

struct State {
  double t = 0;
  std::vector<double> q, v;  // v with the inner states of forces behind the velocities
  // Of a state to start from: the turns that cut joints and forces about an axis have made, as model::Held::angles; empty: near the initial values.
  std::vector<double> angles = {};
};

}  // namespace skyhook::formalism
