// Skyhook on a mechanism of the model files.
#pragma once
#include <memory>

#include "mechanism.h"

namespace skyhook::bench {

std::unique_ptr<MechanismSimulator> our_andrews();
std::unique_ptr<MechanismSimulator> our_four_bars(int n);

}  // namespace skyhook::bench
