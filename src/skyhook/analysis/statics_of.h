// Statics of a prepared model with every row that may switch, and with what is held at a state: sticking coordinates stick where they are.
#pragma once
#include <memory>

#include "skyhook/analysis/statics.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {

std::shared_ptr<model::Held> held_at(const simulation::Prepared& prepared, const formalism::State& state);
// The independent rows of the prepared equations, or all of them, and all that switch behind them.
enum class Lasting { independent, all };
std::shared_ptr<const simulation::Equations> with_switches(const simulation::Prepared& prepared,
                                                           const std::shared_ptr<const model::Held>& held,
                                                           Lasting which = Lasting::independent);

}  // namespace skyhook::analysis
