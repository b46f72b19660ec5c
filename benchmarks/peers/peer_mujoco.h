// MuJoCo (libmujoco-dev). Null where it was not found at configuration, or where it cannot read the model: its XML reader
// stops at a nesting depth of 100.
#pragma once
#include <memory>

#include "../workload.h"

namespace skyhook::bench {

std::unique_ptr<TreeSimulator> mujoco_tree(const Workload& workload);
const char* mujoco_version();  // "" if absent

}  // namespace skyhook::bench
