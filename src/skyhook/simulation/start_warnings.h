// What a user should know of the values that a run starts with.
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// Given values that the run does not start with: told, or with `strict: true` refused (ModelError).
void tell_changes(const std::vector<formalism::Changed>& changes, const model::Experiment& experiment, Prepared& p);

// Loops that close in other ways too, dead centres nearby, a search that has given up.
void tell_of_start(Prepared& p);

// "40 deg", "3 m/s"; what is nothing beside `size` is 0.
std::string in_users_unit(double value, const std::string& unit, double size = 0);

}  // namespace skyhook::simulation
