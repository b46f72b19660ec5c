// Where events set parameters: the model is read again, and the run goes on with it.
#include <algorithm>
#include <cmath>

#include "skyhook/element/plugin_law.h"
#include "skyhook/formalism/other_drives.h"
#include "skyhook/simulation/drive_state.h"
#include "skyhook/simulation/run.h"
#include "skyhook/simulation/same_structure.h"

namespace skyhook::simulation {
namespace {

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& c : channels) names.push_back(c.name);
  return names;
}

}  // namespace

bool Run::replace_model() {
  const auto refuse = [&](const std::string& why) {
    return fail(state_.t, "An event sets a parameter, but the run cannot go on with it: " + why), false;
  };
  if (!options_.reread) return refuse("the model cannot be read again here.");
  try {
    const auto model = element::plugin::load_plugins(options_.reread(hybrid_->parameters()));
    if (const std::string what = structural_difference(*prepared().model, *model); !what.empty())
      return refuse(what + ".");
    formalism::State start = state_;
    start.angles = hybrid_->held().angles;
    auto next = std::make_shared<Prepared>(prepare(model, experiment_, &start));
    if (!next->ok()) return refuse(next->problem());
    const auto& moved = next->positions.moved;
    if (!moved.empty() && std::abs(moved[0].to - moved[0].from) > 100 * experiment_.tolerance)
      warn(state_.t, moved_by_event(moved[0], state_.t));
    take_over(std::move(next));
    warn_of_other_jumps();
    return true;
  } catch (const ModelError& error) {
    return refuse(error.what());
  }
}

// Throws ModelError where it is another model than before.
void Run::take_over(std::shared_ptr<Prepared> next) {
  Boxed<Hybrid> hybrid(std::make_unique<Hybrid>(*next, experiment_, running(), begun_));
  auto model = std::make_shared<const ModelOfRun>(next, experiment_);
  RunState state;
  save_sample(state_.t, *next->model, *hybrid, state);
  for (const std::string& what :
       {structural_difference(*prepared().all, *next->all),
        difference_of_names("the output", names_of(model_->channels), names_of(model->channels)),
        difference_of_names("the number that the run keeps,", saved_.names, state.names)}) {
    if (!what.empty()) throw ModelError({}, what + ".");
  }
  const bool drives_jump = jump_with_drives(*next);
  state_ = next->state;
  hybrid->take_over(*hybrid_, drives_jump, state_, log_);
  if (!hybrid->problem().empty()) throw ModelError({}, hybrid->problem());
  books_.recorder.use(*model->prepared->all, model->channels, *model->all);
  hybrid_ = std::move(hybrid), model_ = std::move(model);
  inputs_.drives = drive_jumps(*prepared().model, state_.t, until());
  inputs_.are_new = true;
}

// Where the drives of `next` are others than those until now it gets the velocities behind their impulse. True: they are.
bool Run::jump_with_drives(Prepared& next) {
  const auto jumps = drives_set(*prepared().model, *next.model, state_.t, 10 * experiment_.tolerance);
  if (jumps.empty()) return false;
  next.velocities = formalism::velocities_behind_other_drives(*next.all, next.state, *prepared().all, state_);
  if (!next.velocities.ok) throw ModelError({}, next.velocities.problem);
  for (const DriveSet& jump : jumps) {
    log_.push_back({"drive jumps", jump.text(), {}, "drive"});
    if (std::ranges::count(told_.drives, jump.drive) > 0) continue;
    told_.drives.push_back(jump.drive);
    warn(state_.t, drive_set_by_event(jump, state_.t));
  }
  return true;
}

// Jumps that drives have only with the parameters that an event has set.
void Run::warn_of_other_jumps() {
  for (const DriveJump& jump : inputs_.drives.first) {
    const auto is_told = [&](const Warning& w) {
      return w.name == "drive_jumps" && w.where.file == jump.where.file && w.where.line == jump.where.line &&
             w.where.column == jump.where.column;
    };
    if (std::ranges::none_of(out_.warnings, is_told)) warn(jump.t, {"drive_jumps", jump.where, jump.warning});
  }
}

}  // namespace skyhook::simulation
