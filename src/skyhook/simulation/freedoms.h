// Which coordinates can be chosen freely, and what they move.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

struct Freedom {
  std::string coordinate;          // "crank.angle"; of a ball "hook.rotation_x", about an axis of the body
  std::vector<std::string> moves;  // bodies, if it alone moves of all those chosen; only of the first ones told
};

// As many as there are degrees of freedom, chosen by pivots in the motions that the constraints leave: coordinates that move much mass come
// first. Any other choice of as many independent ones would do as well. `told`: of so many the bodies that they move are looked for;
// of all of a long chain that would be the square of its length.
std::vector<Freedom> freedoms_of(const Prepared& prepared, std::size_t told = 200);

// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& names, std::size_t most);

}  // namespace skyhook::simulation
