// What a result says of its run before the first step.
#pragma once
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

class Hybrid;
class Recorder;

// What the samples of a run hold; the rest of RunInfo is left empty.
RunInfo contents_of(const Prepared& prepared, const std::vector<Channel>& channels);
// Of one sample in a result: see Sample.
std::size_t numbers_a_sample(const RunInfo& info);
// All from which a run can go on at t, beside q and v.
void save_run(double t, double begun, const Recorder& recorder, const model::Model& model, const Hybrid& hybrid,
              RunState& to);
constexpr long saved_before_recorder = 2;  // numbers of RunState before those of Recorder::save()

RunInfo run_info(const Prepared& prepared, const model::Experiment& experiment, const Choice& choice,
                 const std::vector<Channel>& channels);

}  // namespace skyhook::simulation
