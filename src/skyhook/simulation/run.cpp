#include "skyhook/simulation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/simulation/instant.h"
#include "skyhook/simulation/out_of_reach.h"
#include "skyhook/simulation/plausibility.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/run_summary.h"

namespace skyhook::simulation {

using integrator::StepResult;
using integrator::StepStatus;

namespace {

std::shared_ptr<const Prepared> not_owned(const Prepared& prepared) { return {std::shared_ptr<void>(), &prepared}; }

}  // namespace

ModelOfRun::ModelOfRun(std::shared_ptr<const Prepared> of, const model::Experiment& experiment)
    : prepared(std::move(of)),
      all(prepared->channels()),
      channels(choose_channels(*all, experiment.outputs.empty() ? prepared->model->outputs : experiment.outputs)) {}

Course::Course(std::shared_ptr<const ModelOfRun> model, const model::Experiment& e, double begun, Sink& sink,
               bool all_reactions, WorkIntegral::StateAt state_at, WorkIntegral::Look look)
    : model_(std::move(model)),
      choice_(choose_solver(*model_->prepared, e)),
      state_(model_->prepared->state),
      t_(state_.t),
      outputs_{.step = e.output_step > 0 ? e.output_step : (e.until - e.from_time) / 1000},
      books_{Recorder(*model_->prepared->all, model_->channels, sink, all_reactions, model_->all.get()),
             WorkIntegral(e.tolerance, std::move(state_at), std::move(look))},
      watch_{.rows = RowWatch(e.tolerance, formalism::characteristic_length(*model_->prepared->model)),
             .events = EventGuard(e.until - begun)} {}

Run::Run(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options)
    : Run(prepared, experiment, sink, options, options.from ? Restoring(*options.from) : Restoring({})) {}

Run::Run(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options,
         Restoring restoring)
    : Account(options.begun, sink),
      Course(
          std::make_shared<ModelOfRun>(not_owned(prepared), experiment), experiment,
          restoring.past("begun", experiment.from_time).value_or(experiment.from_time), sink_, options.all_reactions,
          [this](double t) -> const formalism::State& { return roughly_at(t); },
          [this](const Snapshot& s) { look_at_tables(s); }),
      experiment_(experiment),
      options_(options),
      restoring_(std::move(restoring)),
      begun_(restoring_.past("begun", experiment.from_time).value_or(experiment.from_time)),
      target_(state_.t) {
  hybrid_.emplace(prepared, experiment_, running(), begun_);
  if (prepared.ok()) require_jacobian(choice_.solver, experiment_, *prepared.active);
  clock_.count();
}

// ---- the start

void Run::begin() {
  const RunClock::Going going(clock_);
  RunInfo info = run_info(prepared(), experiment_, choice_, model_->channels);
  info.run_state = save_sample(state_.t)->names;
  if (prepared().ok()) enter();
  sink_.begin(info);
  out_.solver = choice_.solver.name(), out_.solver_reason = choice_.why;
  for (Warning& warning : warnings_before(prepared())) warn(state_.t, std::move(warning));
  if (!prepared().ok()) return fail(state_.t, prepared().problem());
  if (!start()) return;
  t_ = target_ = out_.t_reached = state_.t;
  if (motion_ && hybrid_->wants_stop()) return end();
  if (motion_) return;
  if (!prepared().model->controllers.empty() || !prepared().model->events.empty())
    warn(state_.t, {"nothing_to_control",
                    {},
                    "The model has nothing that can move freely: its controllers and events are left alone."});
}

// Everything that depends on the choice of constraint rows. False: the run has failed.
bool Run::start() {
  leave_motion();
  if (first_ && !tell_entry()) return false;
  evaluator_.emplace(hybrid_->active(), hybrid_->all());
  watch_.rows.begin(hybrid_->all(), hybrid_->active());
  watch_.tables.emplace(*hybrid_->active());
  if (!find_accelerations()) return false;
  start_motion_here();
  if (inputs_.are_new) inputs_.probes = probe_inputs(seen(), until());
  inputs_.are_new = false;
  inputs_.ahead.begin(hybrid_->active(), hybrid_->all());
  if (first_) open_books();
  first_ = false;
  return true;
}

void Run::open_books() {
  Recorder& recorder = books_.recorder;
  recorder.begin_energy(seen());
  if (options_.from) recorder.resume(restoring_, state_.t, options_.same_model);
  record(state_);
  warn_of_new_starts();
  for (Warning& warning : doubts_of_solver(prepared(), choice_.solver, experiment_)) warn(state_.t, std::move(warning));
  find_drive_jumps();
  begin_thinning();
}

void Run::start_motion_here() {
  motion_ = start_motion(choice_.solver, experiment_, *hybrid_->active(), motion_start());
  now_ = earlier_ = state_;
  hybrid_->find_turns(state_);
  books_.work.begin(seen());
}

void Run::leave_motion() {
  if (!motion_) return;
  if (!settle_samples(Which::all)) warn(thinned_.first_pending(), samples_missing(thinned_.first_pending()));
  thinned_.restart();
  add_cost(out_.cost, motion_->cost());
  count_.left_beside += motion_->left_beside();
  motion_.reset();
}

// Modes, contacts, controllers at the start. A damaged result is refused before anything is written.
void Run::enter() {
  if (options_.from) {
    restoring_.past("t", state_.t);
    Restoring trial = restoring_;  // in earnest when the books have been opened, see start()
    books_.recorder.resume(trial, state_.t, options_.same_model);
  }
  entered_ = options_.from ? hybrid_->resume(*options_.from, restoring_, state_, log_) : hybrid_->begin(state_, log_);
}

bool Run::tell_entry() {
  for (const Happened& h : log_) sink_.event({state_.t, h.name, h.detail, h.element, h.kind});
  out_.events += static_cast<long>(log_.size());
  if (!hybrid_->problem().empty()) return fail(state_.t, hybrid_->problem()), false;
  return entered_ != Change::model || replace_model();
}

// Accelerations and multipliers at the state from which the run goes on.
bool Run::find_accelerations() {
  if (evaluator_->evaluate(state_.t, state_.q, state_.v, first_) == Eval::ok) return true;
  fail(state_.t, fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", state_.t, evaluator_->blame()));
  return false;
}

// ---- the loop

void Run::advance(double target) {
  const RunClock::Going going(clock_);
  const auto turn = turn_of(Part::events);
  look_.reset();
  target_ = std::clamp(target, target_, std::max(target_, until()));
  if (!is_over_ && !motion_) return stand_still(target_);
  while (!is_over_ && !is_at_target()) {
    if (!step_.is_open)
      leave_instant();
    else if (step_.event)
      pass_event();
    else
      end_step();
  }
  if (!is_over_ && step_.is_open) show_until(target_);
}

// The run stands there, or it lies in the open step before all that happens next.
bool Run::is_at_target() const {
  if (!step_.is_open) return t_ < until() && !is_before(t_, target_);
  return is_before(target_, step_.event ? step_.event->t : step_.t);
}

// But for rounding; the end of the run is met exactly.
bool Run::is_before(double t, double other) const {
  return t < other && (std::max(t, other) >= until() || !same_instant(t, other));
}

void Run::leave_instant() {
  if (!inputs_.drives.is_at(t_)) return take_step();
  if (inputs_.drives.right() >= until()) return end_left_of_jump();
  pass_drive_jump();
}

// Never over the end, an instant at which something is due, a jump of a drive, a short input, what is met on the way, or so far that turns are lost.
double Run::limit_of_step() {
  const bool ends_there = same_instant(hybrid_->next_time(), until());
  const double due = ends_there ? until() : std::min(until(), hybrid_->next_time());
  const double way = limit_by_way();
  const double limit = std::min({due, inputs_.drives.left(), inputs_.probes.limit(t_), hybrid_->limit_by_turns(t_)});
  motion_->stops_at(limit);
  return std::min(limit, way);
}

double Run::limit_by_way() {
  const auto turn = turn_of(Part::looking);
  return inputs_.ahead.limit(t_, count_.last_step, [this](double t) -> const formalism::State& { return state_at(t); });
}

void Run::take_step() {
  const double limit = limit_of_step();
  StepResult step = step_to(limit);
  if (step.status == StepStatus::reached_limit) {
    step.t = limit;  // but for rounding
    if (const std::string* met = inputs_.ahead.who_set(limit)) ++count_.by_way[*met], step.dominant = -1;
  }
  step.status == StepStatus::failed ? rescue(step) : open_step(step);
}

StepResult Run::step_to(double limit) {
  const auto turn = turn_of(Part::integration);
  return motion_->step(limit);
}

void Run::rescue(const StepResult& step) {
  if (!renew_constraints(step.t) && !cross_singular_position(step.t))
    return fail_on_the_way(step.t, stuck_reason(step));
  warn_of_crossing();
  if (!restart()) return;
  t_ = out_.t_reached = state_.t;
  if (t_ >= until()) end();
}

void Run::open_step(const StepResult& step) {
  sink_.step({step.t, step.h, step.order, step.dominant});
  ++count_.steps, count_.last_step = step.h;
  hybrid_->follow(t_, state_at(step.t), [this](double at, Span q, Span v) { return motion_->interpolate(at, q, v); });
  if (step.dominant >= 0) ++count_.limits[step.dominant];
  if ((step.t - earlier_.t) * static_cast<double>(count_.steps) >= step.t - experiment_.from_time)
    earlier_ = state_at(step.t);
  step_ = {.is_open = true, .t = step.t}, has_jumped_ = false;
  find_event();
}

// The next one in the open step.
void Run::find_event() {
  const EventSearch::Interpolate within = {[this](double at, Span q, Span v) { return motion_->interpolate(at, q, v); },
                                           [this](double at, Span q, Span v) { return motion_->sample(at, q, v); }};
  step_.event = hybrid_->first_event(step_.t, within);
  if (step_.event && should_stop()) step_.event.reset();
  if (!step_.event && !hybrid_->problem().empty()) return fail(step_.t, hybrid_->problem());
  step_.event ? books_.work.open(step_.event->t, WorkIntegral::End::event) : books_.work.open(step_.t);
}

// The event of the open step happens. Where it changes something the rest of the step is void.
void Run::pass_event() {
  constexpr int most = 1000;  // without effect in one step
  const formalism::State event = std::move(*step_.event);
  step_.event.reset();
  if (++step_.without_effect > most)
    return fail(event.t, "An event is found again and again without effect. Tighten the tolerance.");
  if (!show_until(event.t)) return;
  add_work_until(event.t);
  if (!act(event)) return;
  if (!has_jumped_) return find_event();
  arrive(state_.t);
  if (t_ >= until() || hybrid_->wants_stop()) return end();
  stopped(t_);
}

void Run::end_step() {
  const double t = step_.t;
  if (!book_step(t)) return;
  arrive(t);
  reconsider_solver(t);
  if (is_over_ || (t < until() && stopped(t))) return;
  if (is_due(t)) {
    at_instant_ = state_at(t);
    if (!act(at_instant_)) return;
    if (hybrid_->wants_stop()) return end();
    if (has_jumped_ && t < until()) return;
  }
  t < until() ? keep_rows() : end();
}

// Samples, work and energy of the step, and what they give away. False: the run has failed.
bool Run::book_step(double t) {
  const bool recorded = outputs_until(t);
  has_sample_ = outputs_.solved > t_ && seen().t == outputs_.solved;  // others may have been looked at since
  const bool rides = recorded && books_.work.rides() && t < until() && !is_due(t) && !inputs_.drives.is_at(t);
  if (!rides)
    add_work_until(t), judge_energy(t);
  else if (books_.work.wants_end())
    book_end(t);
  if (!recorded) return fail_on_the_way(t, accelerations_missing(t)), false;
  if (!rides && !books_.work.at_end(t)) follow_tables(state_at(t));
  if (!watch_.excursions.problem().empty()) return fail(t, watch_.excursions.problem()), false;
  return true;
}

// Somebody samples here, or an event was set to this time.
bool Run::is_due(double t) const { return t < until() ? t >= hybrid_->next_time() : hybrid_->has_event_at(t); }

// Whose redundant rows open, or depend on each other soon: others carry the motion from here on.
void Run::keep_rows() {
  const auto lose_hold = [&] {
    return has_sample_ ? watch_.rows.lose_hold(seen()) : watch_.rows.lose_hold(state_at(t_));
  };
  if ((motion_->wants_other_rows() || lose_hold()) && renew_constraints(t_)) return void(restart());
  if (!watch_.rows.have_strayed(seen())) return;
  if (!renew_constraints(t_)) return fail_on_the_way(t_, watch_.rows.strayed_reason(seen()));
  restart();
}

// The step is passed through up to t, where the run stands now.
void Run::arrive(double t) {
  t_ = out_.t_reached = t;
  step_ = {};
  if (options_.progress) options_.progress(t);
}

// No unknowns: the model is a structure, or moves by its drives alone, and only its samples are wanted.
void Run::stand_still(double target) {
  for (; outputs_.last < until(); ++outputs_.next) {
    const double at = output_time();
    if (is_before(target, at)) return void(t_ = now_.t = target);
    t_ = outputs_.last = out_.t_reached = at;
    balance_until(at);
    book_jumps_until(at);
    now_.t = std::min(at, inputs_.drives.left());  // left of a jump at this instant
    if (!record_within_step(now_, {})) return fail(at, accelerations_missing(at));
    if (options_.progress) options_.progress(at);
    if (should_stop()) return tell_interrupted(at);
  }
  end();
}

// ---- the end

void Run::end() { out_.status = RunStatus::finished, is_over_ = true; }

void Run::fail(double t, const std::string& why) {
  out_.status = RunStatus::failed, out_.reason = why, out_.t_reached = t, is_over_ = true;
  sink_.event({t, "failed", why});
}

// In the midst of the motion: where the cause can be seen from positions alone it is told instead of what gave way.
void Run::fail_on_the_way(double t, const std::string& why) {
  const formalism::State& last = motion_ ? state_at(motion_->t()) : state_;
  const Equations& all = *prepared().all;
  std::string cause = drive_out_of_reach(all, last, 0.02 * span());
  if (cause.empty()) cause = gimbal_lock_near(all, last);
  if (cause.empty() && watch_.tables) {
    evaluator_->evaluate_motion(last.t, last.q, last.v);
    cause = watch_.tables->touched_corner(seen());
  }
  fail(t, cause.empty() ? why : cause);
}

std::string Run::stuck_reason(const StepResult& step) const {
  const bool told = step.reason.find("gives no finite number") != std::string::npos;
  return (told ? "" : drive_without_number(*prepared().model, step.t, 1e-6 * span())) + step.reason;
}

bool Run::stopped(double t) {
  if (!should_stop()) return false;
  tell_interrupted(t);
  close_books(t);
  if (t > outputs_.last) record(state_at(t));
  return true;
}

void Run::tell_interrupted(double t) {
  out_.status = RunStatus::interrupted, is_over_ = true;
  sink_.event({t, "interrupted", "stopped by the user; everything so far is kept"});
}

RunSummary Run::finish() {
  const RunClock::Going going(clock_);
  const auto turn = turn_of(Part::output);
  if (!is_over_) tell_interrupted(t());
  leave_motion();
  out_.recorded = books_.recorder.given(), out_.from_curve = thinned_.taken();
  out_.without_rates = books_.recorder.without_rates();
  out_.samples = hybrid_->sampler().instants();
  const Recorder& recorder = books_.recorder;
  out_.energy_closure =
      recorder.closure(experiment_.absolute_tolerance > 0 ? experiment_.absolute_tolerance : experiment_.tolerance);
  warn_at_end();
  out_.position_residual = recorder.position_residual(), out_.velocity_residual = recorder.velocity_residual();
  out_.limits = step_limits({count_.limits, count_.by_way}, *prepared().all);
  tell_time();
  sink_.end(out_);
  tell_time();  // with what closing the result has taken
  return out_;
}

void Run::tell_time() {
  out_.parts = clock_.count();
  out_.seconds = out_.parts.sum();
}

}  // namespace skyhook::simulation
