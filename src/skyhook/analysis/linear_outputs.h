// Outputs of a linear system: channels over states and inputs, y = C x + D u, by central differences of fourth order. A channel is a
// function of the state: accelerations and reactions are found anew beside the point.
#pragma once
#include <vector>

#include "skyhook/analysis/linearisation.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::analysis {

struct LinearOutputs {
  std::vector<formalism::NamedQuantity> outputs;
  Vector at_point;  // their values there
  DenseMatrix C, D;
  std::string problem;
};

// Throws ModelError for a channel that is not there.
LinearOutputs linear_outputs(const simulation::Prepared& prepared, const OperatingPoint& at,
                             const Linearisation& linear, const std::vector<model::Output>& outputs);

}  // namespace skyhook::analysis
