// Rough starts for searches of equilibria.
#pragma once
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/model/refusing_law.h"
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

// How far: a law that refuses places says how much it bears.
inline double reach_of(const model::Model& model) {
  double most = 0.2;
  for (const auto& c : model.contributions)
    if (const auto* law = model::refusing_law(c)) most = std::min(most, law->leeway());
  return most;
}

// Shipped models that are not searched from all starts, each with its reason.
struct Exception {
  std::string has_none = {};                     // it has no equilibrium, and this is what the search says
  bool stands_unstably = false;                  // it has one, which is not found from beside it
  double reach = 0;                              // less than that of others
  std::pair<std::string, std::string> set = {};  // a parameter, other than in the file
};

inline Exception exception_of(const std::string& model) {
  static const std::map<std::string, Exception> all = {
      {"free_bodies", {.has_none = "it is free to fall"}},
      {"incline", {.has_none = "Friction \"rub\" has a smooth law and no force at rest"}},
      {"driven_wheel", {.has_none = "Nothing resists axle.angle, and a force of 200 pushes along it"}},
      {"driver", {.has_none = "the state cruise.sum.value still changes"}},                   // it holds a speed
      {"driven_car", {.has_none = "still changes"}},                                          // likewise
      {"drivers", {.has_none = "the state cruise.sum.value still changes"}},                  // likewise
      {"wheel", {.has_none = "force on axle.left.wheel.spin.angle_rate is still 1.41e+03"}},  // a belt turns it
      {"cone", {.stands_unstably = true}},  // without springs: from beside the middle it leaves its rails
      {"ancf_crane",
       {.reach =
            0.01}},  // slopes of steel that are off by 0.2 are stresses of 4e10 N/m^2: from there 5 of 20 are found, from 0.05 17
      {"ropeway", {.has_none = "Something may be free to fall"}},  // its carriage runs down to the end of the rope
      {"falling_chain",
       {.reach = 0.03,
        .set = {"N", "12"}}},  // as it hangs above the ground: turned at random 128 links begin metres deep in it
  };
  const auto found = all.find(model);
  return found == all.end() ? Exception{} : found->second;
}

}  // namespace skyhook::analysis::testing
