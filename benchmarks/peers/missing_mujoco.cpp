#include "peer_mujoco.h"

namespace skyhook::bench {

std::unique_ptr<TreeSimulator> mujoco_tree(const Workload&) { return nullptr; }
const char* mujoco_version() { return ""; }

}  // namespace skyhook::bench
