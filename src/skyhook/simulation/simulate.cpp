#include "skyhook/simulation/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>

#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/crossing.h"
#include "skyhook/simulation/drive_jumps.h"
#include "skyhook/simulation/hybrid.h"
#include "skyhook/simulation/motion.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/row_watch.h"
#include "skyhook/simulation/scene.h"
#include "skyhook/simulation/work_integral.h"

namespace skyhook::simulation {
namespace {

using integrator::StepResult;
using integrator::StepStatus;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Run {
 public:
  Run(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options)
      : prepared_(prepared),
        experiment_(experiment),
        sink_(sink),
        options_(options),
        choice_(choose_solver(prepared, experiment)),
        state_(prepared.state),
        hybrid_(prepared, experiment),
        channels_(choose_channels(all_channels(*prepared.active),
                                  experiment.outputs.empty() ? prepared.model->outputs : experiment.outputs)),
        recorder_(*prepared.all, channels_, sink),
        output_step_(experiment.output_step > 0 ? experiment.output_step
                                                : (experiment.until - experiment.from_time) / 1000),
        row_watch_(experiment.tolerance, formalism::characteristic_length(*prepared.model)),
        work_(experiment.tolerance, [this](double t) -> const formalism::State& { return state_at(t); }) {
    if (prepared.ok()) require_jacobian(choice_.solver, experiment, prepared.active);
  }

  RunSummary run() {
    const double begun = now();
    sink_.begin(info());
    RunSummary out;
    out.solver = choice_.solver.name(), out.solver_reason = choice_.why;
    if (!prepared_.ok()) {
      fail(out, state_.t, prepared_.problem());
    } else if (start(out)) {
      motion_ ? loop(out) : stand_still(out);
    }
    finish(out, begun);
    return out;
  }

 private:
  RunInfo info() const {
    const auto& m = *prepared_.model;
    RunInfo i;
    i.model_name = m.name, i.model_file = m.file, i.experiment = experiment_.name,
    i.formulation = choice_.solver.formulation, i.solver = choice_.solver.integrator;
    i.jacobian = experiment_.jacobian, i.source = m.source, i.expanded = m.expanded,
    i.tolerance = experiment_.tolerance;
    i.t_start = experiment_.from_time, i.t_end = experiment_.until;
    for (const auto& p : m.parameters) i.parameters.push_back({p.name, fmt::format("{} {}", p.value, p.unit)});
    for (const auto& c : channels_) i.channels.push_back({c.name, c.unit});
    for (const auto& n : prepared_.all->tree().q_names) i.states.push_back({n, ""});
    for (const auto& n : prepared_.all->tree().v_names) i.states.push_back({n, ""});
    for (const auto& b : m.bodies) i.bodies.push_back({b.name, b.mass});
    for (const auto& j : m.joints) i.joints.push_back(j.name);
    for (const auto& f : m.forces) i.forces.push_back(f.name);
    for (const auto& r : prepared_.all->rows()) i.constraints.push_back(r.name());
    i.report = describe(prepared_);
    if (!choice_.why.empty()) i.report.push_back("solver: " + choice_.solver.name() + ", because " + choice_.why);
    i.scene = scene_of(prepared_);
    return i;
  }

  void fail(RunSummary& out, double t, const std::string& why) {
    out.status = "failed", out.reason = why, out.t_reached = t;
    sink_.event({t, "failed", why});
  }

  // Everything that depends on the choice of constraint rows. False: failure is noted in `out`.
  bool start(RunSummary& out) {
    if (motion_) add_cost(out.cost, motion_->cost());
    motion_.reset();
    if (first_) hybrid_.begin(state_);
    snapshot_ = std::make_unique<Snapshot>(hybrid_.active(), hybrid_.all());
    row_watch_.begin(hybrid_.all(), hybrid_.active());
    if (!look(out)) return false;
    motion_ = start_motion(choice_.solver, experiment_, hybrid_.active(), motion_start());
    now_ = earlier_ = state_;
    work_.begin(*snapshot_);
    if (first_) {
      recorder_.begin_energy(*snapshot_);
      record(state_);
      warn_of_study(out);
      warn_of_jumps(out);
    }
    first_ = false;
    return true;
  }

  // Accelerations and multipliers at the state from which the run goes on.
  bool look(RunSummary& out) {
    if (snapshot_->evaluate(state_.t, state_.q, state_.v) == Eval::ok) return true;
    fail(out, state_.t,
         fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", state_.t, snapshot_->blame));
    return false;
  }

  MotionStart motion_start() const { return {state_.t, state_.q, state_.v, snapshot_->a, snapshot_->lambda}; }

  bool record(const formalism::State& s, int side = 0) {
    return recorder_.record(*snapshot_, s.t, s.q, s.v, 1e-3 * output_step_, side);
  }

  // The state at a time within the last step; the nearest one known where there is none, see has_state_.
  const formalism::State& state_at(double t) {
    has_state_ = !motion_ || motion_->interpolate(t, now_.q, now_.v);
    now_.t = t;
    return now_;
  }

  void warn(RunSummary& out, double t, const char* name, const std::string& what) {
    out.warnings.push_back(what);
    sink_.event({t, name, what});
  }

  void warn_of_study(RunSummary& out) {
    const GradedSolver g = graded(choice_.solver);
    if (g.grade == Grade::study_only && prepared_.active->ng() > 0)
      warn(out, state_.t, "study only", fmt::format("The solver {} is for studies only: {}.", g.solver.name(), g.why));
  }

  void warn_of_jumps(RunSummary& out) {
    for (const DriveJump& jump : drive_jumps(*prepared_.active, experiment_.from_time, experiment_.until))
      warn(out, jump.t, "drive jumps", jump.warning);
  }

  void warn_of_stiffness(RunSummary& out, double t) {
    if (warned_of_stiffness_ || !motion_->is_stiff()) return;
    warned_of_stiffness_ = true;
    warn(out, t, "stiff model",
         fmt::format("The model is stiff: from t = {:.4g} s on stability, not accuracy, has limited the steps of {}. "
                     "The solvers ida and radau5 would take larger ones.",
                     t, choice_.solver.integrator));
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
    const auto within = [this](double at, Span q, Span v) { return motion_->interpolate(at, q, v); };
    while (auto found = hybrid_.first_event(t, within)) {
      if (!outputs_until(found->t)) return fail(out, found->t, accelerations_missing(found->t)), false;
      add_work_until(found->t);
      if (!act(out, *found, Sides::stored)) return false;
      if (has_jumped_) return true;
    }
    return true;
  }

  // All that happens at one instant; where it changes something the run goes on behind it. The two sides of an event are stored,
  // those of a sampling point are not: there are too many.
  enum class Sides { stored, not_stored };
  bool act(RunSummary& out, const formalism::State& before, Sides sides) {
    std::vector<Happened> log;
    model::Held held = hybrid_.held();
    state_ = before;
    const Change change = hybrid_.act(state_, log);
    if (change == Change::none) return true;
    std::swap(held, hybrid_.held());
    if (sides == Sides::stored && !record(before, -1))
      return fail(out, before.t, accelerations_missing(before.t)), false;
    const double energy = energy_at(before);
    std::swap(held, hybrid_.held());
    for (const Happened& h : log) sink_.event({before.t, h.name, h.detail});
    if (!go_on(out, change)) return false;
    recorder_.running().work +=
        snapshot_->kinetic + snapshot_->potential - energy;  // what the event has put in or taken
    if (sides == Sides::stored && !record(state_, +1))
      return fail(out, state_.t, accelerations_missing(state_.t)), false;
    return has_jumped_ = true;
  }

  double energy_at(const formalism::State& s) {
    const bool known = snapshot_->evaluate(s.t, s.q, s.v, false) == Eval::ok;
    return known ? snapshot_->kinetic + snapshot_->potential : 0.0;
  }

  // From state_ behind an instant that has changed something.
  bool go_on(RunSummary& out, Change change) {
    if (change == Change::rows) return start(out);
    if (!look(out)) return false;
    if (!motion_->restart(jump_of(change), motion_start())) {
      add_cost(out.cost, motion_->cost());
      motion_ = start_motion(choice_.solver, experiment_, hybrid_.active(), motion_start());
    }
    now_ = earlier_ = state_;
    work_.begin(*snapshot_);
    return true;
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
    return (told ? "" : drive_without_number(*prepared_.active, step.t, nearby)) + step.reason;
  }
  bool should_stop() const { return options_.should_stop && options_.should_stop(); }

  void loop(RunSummary& out) {
    double t = state_.t;
    next_output_ = 1;
    out.status = "finished";
    for (;;) {
      const StepResult step = motion_->step(std::min(experiment_.until, hybrid_.next_time()));
      if (step.status == StepStatus::failed) {
        if (renew_constraints(step.t) || cross_singular_position(step.t)) {
          if (!restart(out)) return;
          t = out.t_reached = state_.t;
          if (t >= experiment_.until) return;
          continue;
        }
        return fail(out, step.t, stuck_reason(step));
      }
      sink_.step({step.t, step.h, step.order, step.dominant});
      ++steps_;
      if (step.dominant >= 0) ++limits_[step.dominant];
      if ((step.t - earlier_.t) * static_cast<double>(steps_) >= step.t - experiment_.from_time)
        earlier_ = state_at(step.t);  // an average step ago, or less
      has_jumped_ = false;
      if (!pass_events(out, step.t)) return;
      if (has_jumped_) {
        t = out.t_reached = state_.t;
        if (options_.progress) options_.progress(t);
        if (t >= experiment_.until || stopped(out, t)) return;
        continue;
      }
      const bool recorded = outputs_until(step.t);
      add_work_until(step.t);
      if (!recorded) return fail(out, step.t, accelerations_missing(step.t));
      if (const std::string hinge = wrapped_hinge(); !hinge.empty()) return fail(out, step.t, wrapped_reason(hinge));
      t = out.t_reached = step.t;
      warn_of_stiffness(out, t);
      if (options_.progress) options_.progress(t);
      if (t >= experiment_.until || stopped(out, t)) return;
      if (t >= hybrid_.next_time()) {
        if (!act(out, formalism::State(state_at(t)), Sides::not_stored)) return;
        if (has_jumped_) continue;
      }
      if ((motion_->wants_other_rows() || row_watch_.lose_hold(state_at(t))) && renew_constraints(t)) {
        if (!restart(out)) return;
        continue;
      }
      if (!row_watch_.have_strayed(*snapshot_)) continue;
      if (!renew_constraints(t)) return fail(out, t, row_watch_.strayed_reason(*snapshot_));
      if (!restart(out)) return;
    }
  }

  bool stopped(RunSummary& out, double t) {
    if (!should_stop()) return false;
    out.status = "interrupted";
    sink_.event({t, "interrupted", "stopped by the user; everything so far is kept"});
    if (t > last_output_) record(state_at(t));
    return true;
  }

  // No unknowns: the model is a structure, or moves by its drives alone, and only its samples are wanted.
  void stand_still(RunSummary& out) {
    out.status = "finished";
    for (next_output_ = 1; last_output_ < experiment_.until; ++next_output_) {
      last_output_ = out.t_reached = output_time();
      add_work_until(last_output_);
      now_.t = last_output_;
      if (!record(now_)) return fail(out, last_output_, accelerations_missing(last_output_));
      if (options_.progress) options_.progress(last_output_);
      if (!should_stop()) continue;
      out.status = "interrupted";
      sink_.event({last_output_, "interrupted", "stopped by the user; everything so far is kept"});
      return;
    }
  }

  double output_time() const {
    const double at = experiment_.from_time + static_cast<double>(next_output_) * output_step_;
    return at > experiment_.until - 1e-9 * output_step_ ? experiment_.until : at;
  }

  // Output times inside the step just taken; the end time is always stored.
  bool outputs_until(double t) {
    const double end = experiment_.until;
    for (;; ++next_output_) {
      const double at = output_time();
      if (at > t || last_output_ == end) return true;
      add_work_until(at);
      const formalism::State& s = state_at(at);
      if (!has_state_ || !record(s)) return false;
      last_output_ = at;
      if (at == end || should_stop()) return true;
    }
  }

  void add_work_until(double t) { recorder_.running().work += work_.until(t, *snapshot_); }

  // A force on the angle of a cut hinge knows the angle within half a turn only: beyond that it would jump.
  std::string wrapped_hinge() const {
    for (const auto& item : hybrid_.active()->forces()) {
      if (!item.force->coordinate) continue;
      const model::Joint& joint = prepared_.model->joints[item.force->joint];
      const bool turns = joint.shape.dofs[0].kind == model::Dof::Kind::revolute;
      if (turns && std::abs(recorder_.running().angles[item.force->joint]) > std::numbers::pi) return joint.name;
    }
    return {};
  }
  static std::string wrapped_reason(const std::string& hinge) {
    return fmt::format(
        "Joint \"{}\" is cut and has turned by more than half a turn, where the force on its angle would jump. Give it "
        "`cut: false` and cut another joint of its loop.",
        hinge);
  }

  bool renew_constraints(double t) {
    if (!row_watch_.has_redundant() || t <= last_renewal_) return false;
    if (t > first_renewal_ + 1e-3 * (experiment_.until - experiment_.from_time)) first_renewal_ = t, renewals_ = 0;
    constexpr int most_at_one_place = 20;
    if (renewals_ >= most_at_one_place) return false;
    const formalism::State before = state_at(motion_->t());
    state_ = before;
    const Equations& all = *hybrid_.all();
    if (!formalism::assemble(all, state_, {}).ok || !formalism::fit_velocities(all, state_, {}).ok) return false;
    const formalism::Rank rank = formalism::find_rank(all, state_);
    if (rank.independent == hybrid_.active()->active()) return false;
    before_event_ = before;
    hybrid_.choose(rank.independent);
    ++renewals_, last_renewal_ = t;
    sink_.event({t, "constraints renewed", "other rows of the redundant constraints carry the motion from here on"});
    return true;
  }

  // Where the constraints lose rank (crossing.h). Refused after too many attempts at one place, each twice as wide.
  bool cross_singular_position(double t) {
    constexpr int most = 8;
    if (hybrid_.active()->ng() == 0 || steps_ == 0) return false;
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
    const auto crossing = cross(origin, width, speed, *hybrid_.all(), *snapshot_);
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
    state_ = crossing->end;
    sink_.event({before.t, "singular position crossed", fmt::format("within {:.3g} s, with the accelerations", width)});
    return true;
  }

  static void add_cost(Cost& sum, const Cost& c) {
    sum.steps += c.steps, sum.error_test_failures += c.error_test_failures, sum.newton_failures += c.newton_failures;
    sum.residuals += c.residuals, sum.residuals_for_jacobian += c.residuals_for_jacobian, sum.jacobians += c.jacobians;
    sum.factorisations += c.factorisations, sum.newton_iterations += c.newton_iterations, sum.seconds += c.seconds;
    sum.projections += c.projections, sum.updates += c.updates;
  }

  void finish(RunSummary& out, double begun) {
    if (motion_) add_cost(out.cost, motion_->cost());
    out.energy_closure = recorder_.closure();
    constexpr double suspicious = 0.05;
    if (out.status == "finished" && out.energy_closure > suspicious)
      warn(out, out.t_reached, "energy lost",
           fmt::format("The books of energy miss {:.0f} % of what was exchanged: the motion may be wrong. Tighten the "
                       "tolerance, or try another solver (`skyhook compare`).",
                       100 * out.energy_closure));
    out.position_residual = recorder_.position_residual(), out.velocity_residual = recorder_.velocity_residual();
    const auto& tree = prepared_.all->tree();
    for (const auto& [state, steps] : limits_) {
      const bool position = state < tree.nq;
      const std::string& name = position ? tree.q_names[state] : tree.v_names[state - tree.nq];
      out.limits.push_back({name, name.substr(0, name.rfind('.')), steps});
    }
    std::stable_sort(out.limits.begin(), out.limits.end(),
                     [](const StepLimit& a, const StepLimit& b) { return a.steps > b.steps; });
    out.seconds = now() - begun;
    sink_.end(out);
  }

  const Prepared& prepared_;
  const model::Experiment& experiment_;
  Sink& sink_;
  const RunOptions& options_;
  Choice choice_;
  formalism::State state_, now_, before_event_, earlier_;
  Hybrid hybrid_;
  std::vector<Channel> channels_;
  Recorder recorder_;
  double output_step_;
  RowWatch row_watch_;
  WorkIntegral work_;
  std::unique_ptr<Snapshot> snapshot_;
  std::unique_ptr<Motion> motion_;
  std::map<int, long> limits_;
  double last_output_ = -1e300, last_renewal_ = -1e300, first_renewal_ = -1e300;
  long next_output_ = 1;
  double width_ = 0, last_crossing_ = -1e300;
  long steps_ = 0;
  int renewals_ = 0, attempts_ = 0;
  bool first_ = true, warned_of_stiffness_ = false, has_state_ = true, has_jumped_ = false;
};

}  // namespace

RunSummary simulate(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                    const RunOptions& options) {
  return Run(prepared, experiment, sink, options).run();
}

}  // namespace skyhook::simulation
