// What happens at one instant of a run, and how it goes on from there.
#include "skyhook/simulation/run.h"

namespace skyhook::simulation {
namespace {

integrator::Jump jump_of(Change change) {
  if (change == Change::input) return integrator::Jump::input;
  return change == Change::mode ? integrator::Jump::mode : integrator::Jump::state;
}

}  // namespace

void Run::find_drive_jumps() {
  inputs_.drives = drive_jumps(*prepared().model, experiment_.from_time, until());
  for (const DriveJump& jump : inputs_.drives.first) warn(jump.t, {"drive_jumps", jump.where, jump.warning});
}

// From the last step over the jump; samples stand left of it.
void Run::pass_drive_jump() {
  const formalism::State before = state_at(motion_->t());
  const double behind = inputs_.drives.right();
  inputs_.drives.pass();
  for (; output_time() <= behind && output_time() < until(); ++outputs_.next) {
    if (!record(before)) return fail(before.t, accelerations_missing(before.t));
    outputs_.last = output_time();
  }
  const bool goes_on = act(before, [&] {
    state_.t = behind;
    log_.push_back({"drive jumps", {}, {}, "drive"});
    return hybrid_->jump(before, state_, log_);
  });
  if (!goes_on) return;
  t_ = out_.t_reached = state_.t;
  if (hybrid_->wants_stop()) end();
}

// A jump at the very end does not happen any more, but its sample stands on its left as well.
void Run::end_left_of_jump() {
  at_instant_ = state_at(motion_->t());
  if (!record(at_instant_)) return fail(at_instant_.t, accelerations_missing(at_instant_.t));
  outputs_.last = out_.t_reached = until();
  if (options_.progress) options_.progress(out_.t_reached);
  if (!hybrid_->has_event_at(until()) || act(at_instant_)) end();
}

// All that happens at one instant; where it changes something the run goes on behind it. The two sides of an event are stored,
// those of a sampling point are not: there are too many.
bool Run::act(const formalism::State& before) {
  return act(before, [this] { return hybrid_->act(state_, log_); });
}

bool Run::act(const formalism::State& before, const std::function<Change()>& happen) {
  if (!settle_samples(Which::all)) return fail(before.t, accelerations_missing(before.t)), false;
  log_.clear();
  held_before_ = hybrid_->held();
  state_ = before;
  const Change change = happen();
  if (!hybrid_->problem().empty()) return fail(before.t, hybrid_->problem()), false;
  if (change == Change::none) return true;
  has_jumped_ = true;
  thinned_.restart();
  if (log_.empty()) return go_on(change);
  std::swap(held_before_, hybrid_->held());
  if (!record(before, -1)) return fail(before.t, accelerations_missing(before.t)), false;
  const auto energy = energy_at(before);
  std::swap(held_before_, hybrid_->held());
  if (!energy) return fail(before.t, accelerations_missing(before.t)), false;
  if (!go_on(change)) return false;
  running().work += seen().kinetic + seen().potential - *energy;  // what the event has put in or taken
  if (!record(state_, +1)) return fail(state_.t, accelerations_missing(state_.t)), false;
  return tell();
}

// Everything goes to the log; what happens again and again ends the run.
bool Run::tell() {
  std::string reason;
  out_.events += static_cast<long>(log_.size());
  for (const Happened& h : log_) {
    sink_.event({state_.t, h.name, h.detail, h.element, h.kind});
    if (const std::string why = watch_.events.add(h, state_.t); !why.empty()) reason = why;
  }
  return reason.empty() || (fail(state_.t, reason), false);
}

// From state_ behind an instant that has changed something.
bool Run::go_on(Change change) {
  if (change == Change::model && !replace_model()) return false;
  if (change >= Change::rows) return start();
  if (!find_accelerations()) return false;
  if (!motion_->restart(jump_of(change), motion_start())) {
    leave_motion();
    motion_ = start_motion(choice_.solver, experiment_, *hybrid_->active(), motion_start());
  }
  now_ = earlier_ = state_;
  hybrid_->find_turns(state_);
  books_.work.begin(seen());
  return true;
}

// Like an event at t(): the rest of an open step is void.
void Run::set_signal(int signal, double value) {
  if (is_over_ || !motion_ || hybrid_->held().signals[static_cast<std::size_t>(signal)] == value) return;
  const RunClock::Going going(clock_);
  const auto turn = turn_of(Part::events);
  look_.reset();
  const double t = this->t();
  step_.is_open ? add_work_until(t) : close_books(t);
  const formalism::State before = state_at(step_.is_open ? t : motion_->t());
  if (!has_state_) return fail(t, accelerations_missing(t));
  const bool goes_on = act(before, [&] { return hybrid_->set_signal(signal, value, state_); });
  if (goes_on) arrive(state_.t);
}

}  // namespace skyhook::simulation
