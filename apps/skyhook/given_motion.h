// --speed, --yaw-rate, --way and --spin of commands that know steady motions.
#pragma once
#include "model_commands.h"
#include "skyhook/analysis/steady_motion.h"

namespace skyhook::app {

// What is given on the command line wins over the experiment. Refuses what is no quantity of its kind.
analysis::GivenMotion given_motion(const MotionOptions& options, const model::Model& m,
                                   const model::Experiment& experiment);

}  // namespace skyhook::app
