#include "peer_simbody.h"

namespace skyhook::bench {

std::unique_ptr<TreeSimulator> simbody_tree(const Workload&) { return nullptr; }
std::unique_ptr<MechanismSimulator> simbody_andrews() { return nullptr; }
std::unique_ptr<MechanismSimulator> simbody_four_bars(int) { return nullptr; }
const char* simbody_version() { return ""; }

}  // namespace skyhook::bench
