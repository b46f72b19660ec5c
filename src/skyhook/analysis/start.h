// From a model to equations that are ready to run, from where the experiment says: its initial values, or the equilibrium.
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// As simulation::prepare(); with `from:` in the experiment the state is the equilibrium at its start time, the drives standing
// at their values there, and velocities as the drives ask for, or those of the steady motion that the experiment named there gives. Without an equilibrium the result is not ok().
simulation::Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                             const formalism::State* start = nullptr);

}  // namespace skyhook::analysis
