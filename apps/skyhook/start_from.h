// `--from RESULT@TIME`: a run that goes on where an earlier one stood.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model_commands.h"
#include "skyhook/formalism/state.h"
#include "skyhook/simulation/run_state.h"

namespace skyhook::app {

struct Start {
  std::shared_ptr<const model::Model> model;  // with the parameters that events of the earlier run have set
  formalism::State state;
  std::optional<simulation::RunState> run_state;  // absent: the result has none
  bool same_model = true;                         // as the one of the result, but for outputs and experiments
  std::vector<std::string> warnings;              // what is not as it was
  std::string interrupted;                        // says where a signal has stopped the run to the instant; else empty
};

// The state at the stored instant, with all that the run had there. Between two instants: the model, if it is the same, runs
// there from the instant before, until a signal stops it; another model starts from interpolated states, and a warning tells.
Start start_from(const RunCommand& options, std::shared_ptr<const model::Model> model,
                 const model::Experiment& experiment, const Reread& reread);

}  // namespace skyhook::app
