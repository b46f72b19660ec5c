// Rough starts for searches of equilibria.
#pragma once
#include <algorithm>
#include <random>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis::testing {

// Up to `most` rad or m away from the start, flexible bodies bent by 1 mm; whoever prepares the model with it closes the loops again.
inline formalism::State disturbed(const simulation::Prepared& p, unsigned seed, double most = 0.2) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-most, most);
  formalism::State state = p.state;
  std::vector<double> step(static_cast<std::size_t>(p.all->nv()), 0.0);
  for (int i = 0; i < p.all->moving(); ++i) step[static_cast<std::size_t>(i)] = part(random);
  for (const auto& modal : p.all->modal()) {
    for (int k = 0; k < modal.modes; ++k) step[static_cast<std::size_t>(modal.iv + k)] *= 0.005;
  }
  p.all->plus(state.q, step);
  return state;
}

// How far: a wheel must stay above its rail, between its flange and the gauge; elastic ones are pressed that deep at the start, or lifted.
inline double reach_of(const model::Model& model) {
  const bool on_rails = std::ranges::any_of(model.contributions, [](const auto& c) { return c.type == "wheel_rail"; });
  return on_rails ? 2e-3 : 0.2;
}

}  // namespace skyhook::analysis::testing
