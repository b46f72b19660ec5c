// The run loop: owns output, energy book-keeping, renewal of the constraint choice, and stopping.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/run_clock.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

struct RunOptions {
  std::function<void(double t)> progress = {};  // called after every step
  std::function<bool()> should_stop = {};       // true: end here, keep what there is
  // Reads the model of the run again with parameters changed, by name and text: for events that set some. The changes are all
  // since the start. Absent: such events are refused. Throws ModelError.
  using Changes = std::vector<std::pair<std::string, std::string>>;
  std::function<std::shared_ptr<const model::Model>(const Changes& changes)> reread = {};
  // The run goes on from what an earlier one has saved at this state; the prepared model has its parameters. Null: it starts anew.
  const RunState* from = nullptr;
  bool same_model = true;                  // as the one that has saved `from`; otherwise the books of energy begin anew
  bool all_reactions = true;               // of every joint in each sample; else only where a channel asks for some
  RunClock::Time begun = RunClock::now();  // all since then counts as set-up: reading and preparing
};

// Runs the experiment from the prepared state and writes to the sink. Numerical failure is a value in the summary.
RunSummary simulate(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                    const RunOptions& options = {});

}  // namespace skyhook::simulation
