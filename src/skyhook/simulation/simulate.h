// The run loop (SPEC A4): owns output, energy book-keeping, renewal of the constraint choice, and stopping.
#pragma once
#include <functional>

#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

struct RunOptions {
  std::function<void(double t)> progress;  // called after every step
  std::function<bool()> should_stop;       // true: end here, keep what there is
};

// Runs the experiment from the prepared state and writes to the sink. Numerical failure is a value in the summary.
RunSummary simulate(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                    const RunOptions& options = {});

}  // namespace skyhook::simulation
