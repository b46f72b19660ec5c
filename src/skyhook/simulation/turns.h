// Angles of cut joints, and of forces about an axis, whose turns a run counts (model::Held::angles), in the state of a run.
#pragma once
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/run_state.h"

namespace skyhook::simulation {

void save_turns(const Equations& eq, const model::Held& held, Saving& to);
// What is not known there stays as it is.
void restore_turns(const Equations& eq, const Restoring& from, model::Held& held);
// For formalism::State::angles, of joints that were cut in the run that was saved.
std::vector<double> saved_turns(const model::Model& model, double t, const RunState& from);

}  // namespace skyhook::simulation
