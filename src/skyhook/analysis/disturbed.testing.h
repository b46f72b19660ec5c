// Rough starts for searches of equilibria.
#pragma once
#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
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

// Shipped models that nothing holds, or that hold a speed; and those on rails: 0.2 m aside a wheelset is beside them. They have a test of their own.
inline bool may_have_none(const std::filesystem::path& file) {
  static const std::vector<std::string> names = {"free_bodies", "falling_chain", "incline", "driven_wheel", "driver"};
  const std::string name = file.stem().string();
  const bool on_rails = std::ranges::count(file, std::filesystem::path("rail")) > 0 && name != "hunting_bogie";
  return on_rails || std::ranges::count(names, name) > 0;
}

}  // namespace skyhook::analysis::testing
