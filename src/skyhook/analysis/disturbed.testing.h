// Rough starts for searches of equilibria.
#pragma once
#include <random>

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

// Shipped models that nothing holds, or that hold a speed.
inline const std::vector<std::string> without_equilibrium = {"free_bodies", "falling_chain", "incline", "driven_wheel",
                                                             "driver",
                                                             // 0.2 m aside a wheelset is beside its rails
                                                             "cone", "s1002", "ivp", "curve"};

}  // namespace skyhook::analysis::testing
