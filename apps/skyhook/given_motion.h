// --speed, --yaw-rate and --spin of commands that know steady motions.
#pragma once
#include "model_commands.h"
#include "skyhook/analysis/steady_motion.h"

namespace skyhook::app {

// Refuses what is no quantity of its kind.
analysis::GivenMotion given_motion(const EquilibriumCommand& options);

}  // namespace skyhook::app
