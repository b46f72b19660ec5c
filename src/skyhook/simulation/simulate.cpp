#include "skyhook/simulation/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

#include "skyhook/formalism/other_drives.h"
#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/crossing.h"
#include "skyhook/simulation/drive_jumps.h"
#include "skyhook/simulation/drive_state.h"
#include "skyhook/simulation/event_density.h"
#include "skyhook/simulation/hybrid.h"
#include "skyhook/simulation/input_probes.h"
#include "skyhook/simulation/instant.h"
#include "skyhook/simulation/motion.h"
#include "skyhook/simulation/out_of_reach.h"
#include "skyhook/simulation/plausibility.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/row_watch.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/run_summary.h"
#include "skyhook/simulation/run_warnings.h"
#include "skyhook/simulation/same_structure.h"
#include "skyhook/simulation/table_watch.h"
#include "skyhook/simulation/work_integral.h"

namespace skyhook::simulation {
namespace {

using integrator::StepResult;
using integrator::StepStatus;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double absolute_tolerance_of(const model::Experiment& e) {
  return e.absolute_tolerance > 0 ? e.absolute_tolerance : e.tolerance;
}

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& c : channels) names.push_back(c.name);
  return names;
}

class Run {
 public:
  Run(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options)
      : prepared_(&prepared),
        experiment_(experiment),
        sink_(sink),
        options_(options),
        choice_(choose_solver(prepared, experiment)),
        state_(prepared.state),
        channels_(chosen_channels(prepared)),
        recorder_(*prepared.all, channels_, sink),
        restoring_(options.from ? Restoring(*options.from) : Restoring({})),
        begun_(restoring_.past("begun", experiment.from_time).value_or(experiment.from_time)),
        hybrid_(std::make_unique<Hybrid>(prepared, experiment, recorder_.running(), begun_)),
        output_step_(experiment.output_step > 0 ? experiment.output_step
                                                : (experiment.until - experiment.from_time) / 1000),
        row_watch_(experiment.tolerance, formalism::characteristic_length(*prepared.model)),
        work_(experiment.tolerance, [this](double t) -> const formalism::State& { return roughly_at(t); }) {
    if (prepared.ok()) require_jacobian(choice_.solver, experiment, prepared.active);
  }

  RunSummary run() {
    const double begun = now();
    RunInfo info = run_info(*prepared_, experiment_, choice_, channels_);
    info.run_state = save(state_.t)->names;
    if (prepared_->ok()) enter();
    sink_.begin(info);
    RunSummary out;
    out.solver = choice_.solver.name(), out.solver_reason = choice_.why;
    for (Warning& warning : warnings_before(*prepared_)) warn(out, state_.t, std::move(warning));
    if (!prepared_->ok()) {
      fail(out, state_.t, prepared_->problem());
    } else if (start(out)) {
      motion_ ? loop(out) : stand_still(out);
    }
    finish(out, begun);
    return out;
  }

 private:
  std::vector<Channel> chosen_channels(const Prepared& prepared) const {
    return choose_channels(all_channels(*prepared.active),
                           experiment_.outputs.empty() ? prepared.model->outputs : experiment_.outputs);
  }

  void fail(RunSummary& out, double t, const std::string& why) {
    out.status = "failed", out.reason = why, out.t_reached = t;
    sink_.event({t, "failed", why});
  }

  // In the midst of the motion: where the cause can be seen from positions alone it is told instead of what gave way.
  void fail_on_the_way(RunSummary& out, double t, const std::string& why) {
    const formalism::State& last = motion_ ? state_at(motion_->t()) : state_;
    const Equations& all = *prepared_->all;
    const double ahead = 0.02 * (experiment_.until - experiment_.from_time);
    std::string cause = drive_out_of_reach(all, last, ahead);
    if (cause.empty()) cause = gimbal_lock_near(all, last);
    if (cause.empty() && tables_) {
      snapshot_->evaluate_motion(last.t, last.q, last.v);
      cause = tables_->touched_corner(*snapshot_);
    }
    fail(out, t, cause.empty() ? why : cause);
  }

  // Everything that depends on the choice of constraint rows. False: failure is noted in `out`.
  bool start(RunSummary& out) {
    leave_motion(out);
    if (first_ && !tell_entry(out)) return false;
    snapshot_ = std::make_unique<Snapshot>(hybrid_->active(), hybrid_->all());
    row_watch_.begin(hybrid_->all(), hybrid_->active());
    tables_.emplace(*hybrid_->active());
    if (!look(out)) return false;
    motion_ = start_motion(choice_.solver, experiment_, hybrid_->active(), motion_start());
    now_ = earlier_ = state_;
    work_.begin(*snapshot_);
    if (inputs_are_new_) probes_ = probe_inputs(*snapshot_, experiment_.until);
    inputs_are_new_ = false;
    if (first_) {
      recorder_.begin_energy(*snapshot_), recorder_.begin_turns(state_.t);
      if (options_.from) recorder_.resume(restoring_, state_.t, options_.same_model);
      record(state_);
      warn_of_new_starts(out);
      for (Warning& warning : doubts_of_solver(*prepared_, choice_.solver, experiment_))
        warn(out, state_.t, std::move(warning));
      find_drive_jumps(out);
    }
    first_ = false;
    return true;
  }

  void leave_motion(RunSummary& out) {
    if (!motion_) return;
    add_cost(out.cost, motion_->cost());
    left_beside_ += motion_->left_beside();
    motion_.reset();
  }

  // Modes, contacts, controllers at the start. A damaged result is refused before anything is written.
  void enter() {
    if (options_.from) {
      restoring_.past("t", state_.t);
      Restoring trial = restoring_;  // in earnest when the books have been opened, see start()
      recorder_.resume(trial, state_.t, options_.same_model);
    }
    entered_ = options_.from ? hybrid_->resume(*options_.from, restoring_, state_, log_) : hybrid_->begin(state_, log_);
  }

  bool tell_entry(RunSummary& out) {
    for (const Happened& h : log_) sink_.event({state_.t, h.name, h.detail, h.element, h.kind});
    out.events += static_cast<long>(log_.size());
    if (!hybrid_->problem().empty()) return fail(out, state_.t, hybrid_->problem()), false;
    return entered_ != Change::model || replace_model(out);
  }

  // Accelerations and multipliers at the state from which the run goes on.
  bool look(RunSummary& out) {
    if (snapshot_->evaluate(state_.t, state_.q, state_.v, first_) == Eval::ok) return true;
    fail(out, state_.t,
         fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", state_.t, snapshot_->blame));
    return false;
  }

  MotionStart motion_start() const { return {state_.t, state_.q, state_.v, snapshot_->a, snapshot_->lambda}; }

  bool record(const formalism::State& s, int side = 0) {
    const bool recorded = recorder_.record(
        *snapshot_, s.t, s.q, s.v, 1e-3 * output_step_, side,
        [this, &s, side] { return side < 0 ? nullptr : save(s.t); }, drive_jumps_.instant(s.t));
    if (recorded) follow_tables(s);
    return recorded;
  }

  // All from which a run can go on at this time, beside q and v.
  const RunState* save(double t) { return save(t, *prepared_->model, *hybrid_, saved_), &saved_; }
  void save(double t, const model::Model& model, const Hybrid& hybrid, RunState& to) const {
    save_run(t, begun_, recorder_, model, hybrid, to);
  }

  void follow_tables(const formalism::State& s) {
    if (tables_->empty()) return;
    snapshot_->evaluate_motion(s.t, s.q, s.v);
    tables_->look(*snapshot_, excursions_);
    if (corner_.empty()) corner_ = tables_->touched_corner(*snapshot_);
  }

  // The state at a time within the last step; the nearest one known where there is none, see has_state_.
  const formalism::State& state_at(double t) {
    has_state_ = !motion_ || motion_->sample(t, now_.q, now_.v);
    now_.t = t;
    return now_;
  }

  const formalism::State& roughly_at(double t) {  // for integrals over many such times
    if (motion_) motion_->interpolate(t, now_.q, now_.v);
    return now_.t = t, now_;
  }

  void warn(RunSummary& out, double t, Warning warning) {
    if (std::ranges::count(prepared_->model->ignored_warnings, warning.name) > 0) return;
    sink_.event({t, warning.name, to_string(warning, Named::no), "", EventRecord::warning});
    out.warnings.push_back(std::move(warning));
  }

  void warn_of_new_starts(RunSummary& out) {
    for (const std::string& note : restoring_.notes())
      warn(out, state_.t, {"from_result", {}, fmt::format("The run starts from a result, but {}.", note)});
    for (const std::string& drive : changed_drives(*prepared_->model, restoring_, 10 * experiment_.tolerance))
      warn(out, state_.t, {"from_result", {}, fmt::format("The run starts from a result, but {}.", drive)});
  }

  void find_drive_jumps(RunSummary& out) {
    drive_jumps_ = drive_jumps(*prepared_->model, experiment_.from_time, experiment_.until);
    for (const DriveJump& jump : drive_jumps_.first) warn(out, jump.t, {"drive_jumps", jump.where, jump.warning});
  }

  // From the last step over the jump; samples stand left of it.
  bool pass_drive_jump(RunSummary& out) {
    const formalism::State before = state_at(motion_->t());
    const double behind = drive_jumps_.right();
    drive_jumps_.pass();
    for (; output_time() <= behind && output_time() < experiment_.until; ++next_output_) {
      if (!record(before)) return fail(out, before.t, accelerations_missing(before.t)), false;
      last_output_ = output_time();
    }
    return act(out, before, [&] {
      state_.t = behind;
      log_.push_back({"drive jumps", {}, {}, "drive"});
      return hybrid_->jump(before, state_, log_);
    });
  }

  // A jump at the very end does not happen any more, but its sample stands on its left as well.
  void end_left_of_jump(RunSummary& out) {
    at_instant_ = state_at(motion_->t());
    if (!record(at_instant_)) return fail(out, at_instant_.t, accelerations_missing(at_instant_.t));
    last_output_ = out.t_reached = experiment_.until;
    if (options_.progress) options_.progress(out.t_reached);
    if (hybrid_->has_event_at(experiment_.until)) act(out, at_instant_);
  }

  // Where drives alone move the model: the energy that they bring at once.
  void book_jumps_until(double t) {
    for (; drive_jumps_.right() <= t; drive_jumps_.pass()) {
      add_work_until(drive_jumps_.left());
      now_.t = drive_jumps_.left();
      const auto before = energy_at(now_);
      now_.t = drive_jumps_.right();
      const auto behind = energy_at(now_);  // without one the next sample fails too, and tells why
      if (before && behind) recorder_.running().work += *behind - *before;
      work_.begin(*snapshot_);
    }
  }

  void warn_of_stiffness(RunSummary& out, double t) {
    const double rate = warned_of_stiffness_ ? 0.0 : motion_->stiff_rate();
    if (rate == 0 || (experiment_.solver == "auto" && !is_too_stiff(rate, experiment_))) return;
    warned_of_stiffness_ = true;
    warn(out, t, stiff_model(choice_, rate, t));
  }

  // Recommended pairs are tested there.
  void warn_of_crossing(RunSummary& out) {
    const GradedSolver g = graded(choice_.solver);
    if (!has_crossed_ || warned_of_crossing_ || g.grade == Grade::recommended) return;
    warned_of_crossing_ = true;
    warn(out, last_crossing_, singular_position(g, last_crossing_));
  }

  // Begins anew with other constraint rows; both sides of the instant are stored.
  bool restart(RunSummary& out) {
    const bool recorded = before_event_.q.empty() || record(before_event_, -1);
    before_event_ = {};
    if (recorded && !start(out)) return false;
    if (recorded && record(state_, +1)) return true;
    return fail(out, state_.t, accelerations_missing(state_.t)), false;
  }

  // Events in the step just taken, up to the first that changes something: there the run goes on. False: failure is noted.
  bool pass_events(RunSummary& out, double t) {
    constexpr int most = 1000;  // without effect in one step
    int without_effect = 0;
    const EventSearch::Interpolate within = {
        [this](double at, Span q, Span v) { return motion_->interpolate(at, q, v); },
        [this](double at, Span q, Span v) { return motion_->sample(at, q, v); }};
    while (auto found = hybrid_->first_event(t, within)) {
      if (should_stop()) return true;
      if (++without_effect > most)
        return fail(out, found->t, "An event is found again and again without effect. Tighten the tolerance."), false;
      if (!outputs_until(found->t)) return fail(out, found->t, accelerations_missing(found->t)), false;
      add_work_until(found->t);
      if (!act(out, *found)) return false;
      if (has_jumped_) return true;
    }
    return hybrid_->problem().empty() || (fail(out, t, hybrid_->problem()), false);
  }

  // All that happens at one instant; where it changes something the run goes on behind it. The two sides of an event are stored,
  // those of a sampling point are not: there are too many.
  bool act(RunSummary& out, const formalism::State& before) {
    return act(out, before, [this] { return hybrid_->act(state_, log_); });
  }
  bool act(RunSummary& out, const formalism::State& before, const std::function<Change()>& happen) {
    log_.clear();
    held_before_ = hybrid_->held();
    state_ = before;
    const Change change = happen();
    if (!hybrid_->problem().empty()) return fail(out, before.t, hybrid_->problem()), false;
    if (change == Change::none) return true;
    has_jumped_ = true;
    if (log_.empty()) return go_on(out, change);
    std::swap(held_before_, hybrid_->held());
    if (!record(before, -1)) return fail(out, before.t, accelerations_missing(before.t)), false;
    const auto energy = energy_at(before);
    std::swap(held_before_, hybrid_->held());
    if (!energy) return fail(out, before.t, accelerations_missing(before.t)), false;
    if (!go_on(out, change)) return false;
    recorder_.running().work +=
        snapshot_->kinetic + snapshot_->potential - *energy;  // what the event has put in or taken
    if (!record(state_, +1)) return fail(out, state_.t, accelerations_missing(state_.t)), false;
    return tell(out);
  }

  // Everything goes to the log; what happens again and again ends the run.
  bool tell(RunSummary& out) {
    std::string reason;
    out.events += static_cast<long>(log_.size());
    for (const Happened& h : log_) {
      sink_.event({state_.t, h.name, h.detail, h.element, h.kind});
      if (const std::string why = guard_.add(h.element, h.name, h.kind, state_.t); !why.empty()) reason = why;
    }
    return reason.empty() || (fail(out, state_.t, reason), false);
  }

  // The sample just recorded there has shown that it can be found; anything else would be told.
  std::optional<double> energy_at(const formalism::State& s) {
    if (snapshot_->evaluate(s.t, s.q, s.v, false) != Eval::ok) return {};
    return snapshot_->kinetic + snapshot_->potential;
  }

  // From state_ behind an instant that has changed something.
  bool go_on(RunSummary& out, Change change) {
    if (change == Change::model && !replace_model(out)) return false;
    if (change >= Change::rows) return start(out);
    if (!look(out)) return false;
    if (!motion_->restart(jump_of(change), motion_start())) {
      leave_motion(out);
      motion_ = start_motion(choice_.solver, experiment_, hybrid_->active(), motion_start());
    }
    now_ = earlier_ = state_;
    work_.begin(*snapshot_);
    return true;
  }

  // With the parameters that events have set: the model is read again, and the run goes on with it.
  bool replace_model(RunSummary& out) {
    const auto refuse = [&](const std::string& why) {
      return fail(out, state_.t, "An event sets a parameter, but the run cannot go on with it: " + why), false;
    };
    if (!options_.reread) return refuse("the model cannot be read again here.");
    auto next = std::make_unique<Prepared>();
    try {
      const auto model = options_.reread(hybrid_->parameters());
      if (const std::string what = structural_difference(*prepared_->model, *model); !what.empty())
        return refuse(what + ".");
      *next = prepare(model, experiment_, &state_);
      if (!next->ok()) return refuse(next->problem());
      const auto& moved = next->positions.moved;
      if (!moved.empty() && std::abs(moved[0].to - moved[0].from) > 100 * experiment_.tolerance)
        warn(out, state_.t, moved_by_event(moved[0], state_.t));
      const bool taken = take_over(out, std::move(next));
      warn_of_other_jumps(out);
      return taken;
    } catch (const ModelError& error) {
      return refuse(error.what());
    }
  }

  // Throws ModelError where it is another model than before.
  bool take_over(RunSummary& out, std::unique_ptr<Prepared> next) {
    auto hybrid = std::make_unique<Hybrid>(*next, experiment_, recorder_.running(), begun_);
    std::vector<Channel> channels = chosen_channels(*next);
    RunState state;
    save(state_.t, *next->model, *hybrid, state);
    for (const std::string& what : {structural_difference(*prepared_->all, *next->all),
                                    difference_of_names("the output", names_of(channels_), names_of(channels)),
                                    difference_of_names("the number that the run keeps,", saved_.names, state.names)}) {
      if (!what.empty()) throw ModelError({}, what + ".");
    }
    const bool drives_jump = jump_with_drives(out, *next);
    state_ = next->state;
    hybrid->take_over(*hybrid_, drives_jump, state_, log_);
    if (!hybrid->problem().empty()) throw ModelError({}, hybrid->problem());
    channels_ = std::move(channels);
    recorder_.use(*next->all, channels_);
    prepared_ = next.get();
    hybrid_ = std::move(hybrid), reread_ = std::move(next);
    drive_jumps_ = drive_jumps(*prepared_->model, state_.t, experiment_.until);
    inputs_are_new_ = true;
    return true;
  }

  // Where the drives of `next` are others than those until now it gets the velocities behind their impulse. True: they are.
  bool jump_with_drives(RunSummary& out, Prepared& next) {
    const auto jumps = drives_set(*prepared_->model, *next.model, state_.t, 10 * experiment_.tolerance);
    if (jumps.empty()) return false;
    next.velocities = formalism::velocities_behind_other_drives(*next.all, next.state, *prepared_->all, state_);
    if (!next.velocities.ok) throw ModelError({}, next.velocities.problem);
    for (const DriveSet& jump : jumps) {
      log_.push_back({"drive jumps", jump.text(), {}, "drive"});
      if (std::ranges::count(drives_told_, jump.drive) > 0) continue;
      drives_told_.push_back(jump.drive);
      warn(out, state_.t, drive_set_by_event(jump, state_.t));
    }
    return true;
  }

  // Jumps that drives have only with the parameters that an event has set.
  void warn_of_other_jumps(RunSummary& out) {
    for (const DriveJump& jump : drive_jumps_.first) {
      const auto is_told = [&](const Warning& w) {
        return w.name == "drive_jumps" && w.where.file == jump.where.file && w.where.line == jump.where.line &&
               w.where.column == jump.where.column;
      };
      if (std::ranges::none_of(out.warnings, is_told)) warn(out, jump.t, {"drive_jumps", jump.where, jump.warning});
    }
  }

  static integrator::Jump jump_of(Change change) {
    if (change == Change::input) return integrator::Jump::input;
    return change == Change::mode ? integrator::Jump::mode : integrator::Jump::state;
  }

  std::string accelerations_missing(double t) const {
    if (!has_state_) return fmt::format("There is no position near t = {:.6g} s: {}", t, motion_->blame);
    return fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", t, snapshot_->blame);
  }
  std::string stuck_reason(const StepResult& step) const {
    const double nearby = 1e-6 * (experiment_.until - experiment_.from_time);
    const bool told = step.reason.find("gives no finite number") != std::string::npos;
    return (told ? "" : drive_without_number(*prepared_->active, step.t, nearby)) + step.reason;
  }
  bool should_stop() const { return options_.should_stop && options_.should_stop(); }

  void loop(RunSummary& out) {
    double t = state_.t;
    next_output_ = 1;
    out.status = "finished";
    while (!hybrid_->wants_stop()) {
      if (drive_jumps_.is_at(t)) {
        if (drive_jumps_.right() >= experiment_.until) return end_left_of_jump(out);
        if (!pass_drive_jump(out)) return;
        t = out.t_reached = state_.t;
        continue;
      }
      const bool ends_there = same_instant(hybrid_->next_time(), experiment_.until);
      const double event = ends_there ? experiment_.until : std::min(experiment_.until, hybrid_->next_time());
      const double limit = std::min({event, drive_jumps_.left(), probes_.limit(t)});
      StepResult step = motion_->step(limit);
      if (step.status == StepStatus::reached_limit) step.t = limit;  // but for rounding
      if (step.status == StepStatus::failed) {
        if (renew_constraints(step.t) || cross_singular_position(step.t)) {
          warn_of_crossing(out);
          if (!restart(out)) return;
          t = out.t_reached = state_.t;
          if (t >= experiment_.until) return;
          continue;
        }
        return fail_on_the_way(out, step.t, stuck_reason(step));
      }
      sink_.step({step.t, step.h, step.order, step.dominant});
      ++steps_;
      hybrid_->follow(state_at(step.t));
      if (step.dominant >= 0) ++limits_[step.dominant];
      if ((step.t - earlier_.t) * static_cast<double>(steps_) >= step.t - experiment_.from_time)
        earlier_ = state_at(step.t);  // an average step ago, or less
      has_jumped_ = false;
      if (!pass_events(out, step.t)) return;
      if (has_jumped_) {
        t = out.t_reached = state_.t;
        if (options_.progress) options_.progress(t);
        if (t >= experiment_.until || hybrid_->wants_stop() || stopped(out, t)) return;
        continue;
      }
      const bool recorded = outputs_until(step.t);
      add_work_until(step.t);
      judge_energy(step.t);
      if (!recorded) return fail_on_the_way(out, step.t, accelerations_missing(step.t));
      if (const std::string why = wrapped_hinge(*hybrid_->active(), recorder_.running()); !why.empty())
        return fail(out, step.t, why);
      follow_tables(state_at(step.t));
      if (!excursions_.problem().empty()) return fail(out, step.t, excursions_.problem());
      t = out.t_reached = step.t;
      warn_of_stiffness(out, t);
      if (options_.progress) options_.progress(t);
      const bool is_end = t >= experiment_.until;
      if (!is_end && stopped(out, t)) return;
      if (is_end ? hybrid_->has_event_at(t) : t >= hybrid_->next_time()) {
        at_instant_ = state_at(t);
        if (!act(out, at_instant_) || hybrid_->wants_stop()) return;
        if (has_jumped_ && !is_end) continue;
      }
      if (is_end) return;
      if ((motion_->wants_other_rows() || row_watch_.lose_hold(state_at(t))) && renew_constraints(t)) {
        if (!restart(out)) return;
        continue;
      }
      if (!row_watch_.have_strayed(*snapshot_)) continue;
      if (!renew_constraints(t)) return fail_on_the_way(out, t, row_watch_.strayed_reason(*snapshot_));
      if (!restart(out)) return;
    }
  }

  bool stopped(RunSummary& out, double t) {
    if (!should_stop()) return false;
    tell_interrupted(out, t);
    if (t > last_output_) record(state_at(t));
    return true;
  }

  void tell_interrupted(RunSummary& out, double t) {
    out.status = "interrupted";
    sink_.event({t, "interrupted", "stopped by the user; everything so far is kept"});
  }

  // No unknowns: the model is a structure, or moves by its drives alone, and only its samples are wanted.
  void stand_still(RunSummary& out) {
    out.status = "finished";
    if (!prepared_->model->controllers.empty() || !prepared_->model->events.empty())
      warn(out, state_.t,
           {"nothing_to_control",
            {},
            "The model has nothing that can move freely: its controllers and events are left alone."});
    for (next_output_ = 1; last_output_ < experiment_.until; ++next_output_) {
      last_output_ = out.t_reached = output_time();
      balance_until(last_output_);
      book_jumps_until(last_output_);
      now_.t = std::min(last_output_, drive_jumps_.left());  // left of a jump at this instant
      if (!record_within_step(now_)) return fail(out, last_output_, accelerations_missing(last_output_));
      if (options_.progress) options_.progress(last_output_);
      if (should_stop()) return tell_interrupted(out, last_output_);
    }
  }

  // Where something happens at the same instant the sample stands left of it, whatever rounding says.
  double output_time() const {
    const double at = experiment_.from_time + static_cast<double>(next_output_) * output_step_;
    if (same_instant(at, hybrid_->next_time()) && at < experiment_.until) return hybrid_->next_time();
    return at > experiment_.until - 1e-9 * output_step_ ? experiment_.until : at;
  }

  // Output times inside the step just taken; the end time is always stored.
  bool outputs_until(double t) {
    const double end = experiment_.until;
    for (;; ++next_output_) {
      const double at = output_time();
      if (at > t || last_output_ == end) return true;
      const formalism::State& s = state_at(at);
      if (!has_state_ || !record_within_step(s)) return false;
      last_output_ = at;
      if (at == end || should_stop()) return true;
    }
  }

  void add_work_until(double t) { recorder_.running().work += work_.until(t, *snapshot_); }
  void judge_energy(double t) {
    const formalism::State& s = state_at(t);
    snapshot_->evaluate_energy(t, s.q, s.v);
    recorder_.judge_energy(*snapshot_);
  }

  // The books go on at the ends of steps alone: a sample in between shows them as they are there.
  bool record_within_step(const formalism::State& s) {
    const double until_step = recorder_.running().work;
    const formalism::State at = s;  // the integral looks at others
    recorder_.running().work += work_.up_to(at.t, *snapshot_);
    const bool recorded = record(at);
    recorder_.running().work = until_step;
    return recorded;
  }

  // Without unknowns there are no steps: the books go on in thousandths of the run.
  void balance_until(double t) {
    constexpr double parts = 1000;
    const double h = (experiment_.until - experiment_.from_time) / parts;
    for (;; ++balanced_) {
      const double at = experiment_.from_time + static_cast<double>(balanced_) * h;
      if (at > t) return;
      book_jumps_until(at);
      const double left = std::min(at, drive_jumps_.left());
      add_work_until(left);
      judge_energy(left);
    }
  }

  bool renew_constraints(double t) {
    if (!row_watch_.has_redundant() || t <= last_renewal_) return false;
    if (t > first_renewal_ + 1e-3 * (experiment_.until - experiment_.from_time)) first_renewal_ = t, renewals_ = 0;
    constexpr int most_at_one_place = 20;
    if (renewals_ >= most_at_one_place) return false;
    const formalism::State before = state_at(motion_->t());
    state_ = before;
    const Equations& all = *hybrid_->all();
    if (!formalism::assemble(all, state_, {}).ok || !formalism::fit_velocities(all, state_, {}).ok) return false;
    const formalism::Rank rank = formalism::find_rank(all, state_);
    if (rank.independent == hybrid_->active()->active()) return false;
    before_event_ = before;
    hybrid_->choose(rank.independent);
    ++renewals_, last_renewal_ = t;
    sink_.event({t, "constraints renewed", "other rows of the redundant constraints carry the motion from here on"});
    return true;
  }

  // Where the constraints lose rank (crossing.h). Refused after too many attempts at one place, each twice as wide.
  bool cross_singular_position(double t) {
    constexpr int most = 8;
    if (hybrid_->active()->ng() == 0 || steps_ == 0) return false;
    attempts_ = t < last_crossing_ + 2 * width_ ? attempts_ + 1 : 0;
    if (attempts_ >= most) return false;
    const double average = (t - experiment_.from_time) / static_cast<double>(steps_);
    width_ = attempts_ == 0 ? 0.25 * average : 2 * width_;
    last_crossing_ = t;
    for (int refused = 0; refused < 6; ++refused, width_ *= 1.7) {  // a stage may have met the singular position itself
      if (cross_within(state_at(motion_->t())) || cross_within(earlier_)) return true;
    }
    return false;
  }

  bool cross_within(const formalism::State& origin) {
    const formalism::State before = state_at(motion_->t());
    const double width = std::min(width_ + before.t - origin.t, experiment_.until - origin.t);
    double speed = 1;
    for (double v : before.v) speed = std::max(speed, std::abs(v));
    const auto crossing = cross(origin, width, speed, *hybrid_->all(), *snapshot_);
    if (!crossing) return false;
    const auto& path = crossing->path;
    for (double at = output_time(); at <= crossing->end.t && at > last_output_;
         at = output_time()) {  // output times on the way
      const auto& from = *std::find_if(path.rbegin(), path.rend(), [&](const auto& s) { return s.t <= at; });
      const formalism::State between = runge_kutta(from, at - from.t, *snapshot_);
      if (between.q.empty() || !record(between)) return false;
      last_output_ = at, ++next_output_;
    }
    before_event_ = {};  // the samples on the way stand already
    if (last_output_ < before.t) before_event_ = before;
    state_ = crossing->end, has_crossed_ = true;
    sink_.event({before.t, "singular position crossed", fmt::format("within {:.3g} s, with the accelerations", width)});
    return true;
  }

  void finish(RunSummary& out, double begun) {
    leave_motion(out);
    out.samples = hybrid_->sampler().instants();
    out.energy_closure = recorder_.closure(absolute_tolerance_of(experiment_));
    if (out.status == "finished" && out.energy_closure > suspicious_closure(experiment_.tolerance))
      warn(out, out.t_reached, energy_lost(out.energy_closure));
    if (out.status == "finished" && !corner_.empty()) warn(out, out.t_reached, {"profile_corner", {}, corner_});
    if (left_beside_ > 0)
      warn(out, out.t_reached,
           off_constraints(left_beside_, recorder_.position_residual(), recorder_.velocity_residual()));
    const bool outputs_are_given = !experiment_.outputs.empty() || !prepared_->model->outputs.empty();
    for (Warning& warning : recorder_.warnings(outputs_are_given)) warn(out, out.t_reached, std::move(warning));
    for (Warning& warning : hybrid_->warnings()) warn(out, out.t_reached, std::move(warning));
    for (Warning& warning : excursions_.warnings()) warn(out, out.t_reached, std::move(warning));
    if (!warned_of_stiffness_)  // at the border of stability accelerations are noise
      for (Warning& warning : recorder_.coarse_channels(output_step_, experiment_.tolerance))
        warn(out, out.t_reached, std::move(warning));
    out.position_residual = recorder_.position_residual(), out.velocity_residual = recorder_.velocity_residual();
    out.limits = step_limits(limits_, prepared_->all->tree());
    out.seconds = now() - begun;
    sink_.end(out);
  }

  const Prepared* prepared_;
  const model::Experiment& experiment_;
  Sink& sink_;
  const RunOptions& options_;
  Choice choice_;
  formalism::State state_, now_, before_event_, earlier_;
  std::vector<Channel> channels_;
  Recorder recorder_;
  std::unique_ptr<Prepared> reread_;  // where events have set parameters
  Restoring restoring_;
  double begun_;  // where the first of the runs began that go on from each other
  RunState saved_;
  std::unique_ptr<Hybrid> hybrid_;
  EventGuard guard_{experiment_.until - begun_};
  Change entered_ = Change::none;
  std::vector<Happened> log_;
  DriveJumps drive_jumps_;
  InputProbes probes_;
  bool inputs_are_new_ = true;
  model::Held held_before_;
  std::vector<std::string> drives_told_;  // that jump where an event sets a parameter
  formalism::State at_instant_;
  double output_step_;
  RowWatch row_watch_;
  std::optional<TableWatch> tables_;
  TableExcursions excursions_;
  std::string corner_;  // of a profile, that a contact has touched
  WorkIntegral work_;
  std::unique_ptr<Snapshot> snapshot_;
  std::unique_ptr<Motion> motion_;
  std::map<int, long> limits_;
  double last_output_ = -1e300, last_renewal_ = -1e300, first_renewal_ = -1e300;
  long next_output_ = 1, balanced_ = 1;
  double width_ = 0, last_crossing_ = -1e300;
  long steps_ = 0;
  long left_beside_ = 0;
  int renewals_ = 0, attempts_ = 0;
  bool first_ = true, warned_of_stiffness_ = false, warned_of_crossing_ = false, has_crossed_ = false;
  bool has_state_ = true, has_jumped_ = false;
};

}  // namespace

RunSummary simulate(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                    const RunOptions& options) {
  return Run(prepared, experiment, sink, options).run();
}

}  // namespace skyhook::simulation
