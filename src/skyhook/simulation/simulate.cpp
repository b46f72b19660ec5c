#include "skyhook/simulation/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>

#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/drive_jumps.h"
#include "skyhook/simulation/drives_of_loop.h"
#include "skyhook/simulation/motion.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/scene.h"

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
        active_(prepared.active),
        channels_(choose_channels(all_channels(*prepared.active),
                                  experiment.outputs.empty() ? prepared.model->outputs : experiment.outputs)),
        recorder_(*prepared.all, channels_, sink),
        output_step_(experiment.output_step > 0 ? experiment.output_step
                                                : (experiment.until - experiment.from_time) / 1000) {
    if (prepared.ok()) require_jacobian(choice_.solver, experiment, active_);
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
    snapshot_ = std::make_unique<Snapshot>(active_, prepared_.all);
    if (snapshot_->evaluate(state_.t, state_.q, state_.v) != Eval::ok) {
      fail(out, state_.t,
           fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", state_.t, snapshot_->blame));
      return false;
    }
    motion_ = start_motion(choice_.solver, experiment_, active_,
                           {state_.t, state_.q, state_.v, snapshot_->a, snapshot_->lambda});
    now_ = earlier_ = state_;
    if (first_) recorder_.begin_energy(*snapshot_);
    lambda_ = snapshot_->lambda;
    power_ = snapshot_->has_power() ? snapshot_->power(snapshot_->lambda) : 0.0;
    work_time_ = state_.t;
    if (first_) record(state_);
    if (first_) warn_of_study(out);
    if (first_) warn_of_jumps(out);
    first_ = false;
    return true;
  }

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
    if (g.grade == Grade::study_only && active_->ng() > 0)
      warn(out, state_.t, "study only", fmt::format("The solver {} is for studies only: {}.", g.solver.name(), g.why));
  }

  void warn_of_jumps(RunSummary& out) {
    for (const DriveJump& jump : drive_jumps(*active_, experiment_.from_time, experiment_.until))
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

  // Begins anew behind an event; both sides of it are stored.
  bool restart(RunSummary& out) {
    const bool recorded = before_event_.q.empty() || record(before_event_, -1);
    before_event_ = {};
    if (recorded && !start(out)) return false;
    if (recorded && record(state_, +1)) return true;
    return fail(out, state_.t, accelerations_missing(state_.t)), false;
  }

  std::string accelerations_missing(double t) const {
    if (!has_state_) return fmt::format("There is no position near t = {:.6g} s: {}", t, motion_->blame);
    return fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", t, snapshot_->blame);
  }
  std::string stuck_reason(const StepResult& step) const {
    const double nearby = 1e-6 * (experiment_.until - experiment_.from_time);
    const bool told = step.reason.find("gives no finite number") != std::string::npos;
    return (told ? "" : drive_without_number(*active_, step.t, nearby)) + step.reason;
  }
  bool should_stop() const { return options_.should_stop && options_.should_stop(); }

  void loop(RunSummary& out) {
    double t = state_.t;
    next_output_ = 1;
    out.status = "finished";
    for (;;) {
      const StepResult step = motion_->step(experiment_.until);
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
      const bool recorded = outputs_until(step.t);
      add_work_until(step.t);
      if (!recorded) return fail(out, step.t, accelerations_missing(step.t));
      if (const std::string hinge = wrapped_hinge(); !hinge.empty()) return fail(out, step.t, wrapped_reason(hinge));
      t = out.t_reached = step.t;
      warn_of_stiffness(out, t);
      if (options_.progress) options_.progress(t);
      if (step.status == StepStatus::reached_limit) break;
      if (should_stop()) {
        out.status = "interrupted";
        sink_.event({t, "interrupted", "stopped by the user; everything so far is kept"});
        if (t > last_output_) record(state_at(t));
        break;
      }
      if ((motion_->wants_other_rows() || rows_lose_hold()) && renew_constraints(t)) {
        if (!restart(out)) return;
        continue;
      }
      if (!constraints_strayed()) continue;
      if (!renew_constraints(t)) return fail(out, t, strayed_reason());
      if (!restart(out)) return;
    }
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

  // Work of elements that store no energy, by Simpson's rule on the integrator's dense output. The steps resolve what the
  // error test sees; the force of a drive is not among that, so with drives the rule is refined until it settles.
  void add_work_until(double t) {
    if (!snapshot_->has_power() || t <= work_time_) return;
    const double middle = power_at(0.5 * (work_time_ + t)), end = power_at(t);
    recorder_.running().work +=
        simpson(work_time_, t - work_time_, {power_, middle, end}, snapshot_->has_drive() ? 5 : 0);
    work_time_ = t, power_ = end;
  }

  double simpson(double from, double h, const std::array<double, 3>& p, int refinements) {
    const double whole = h / 6 * (p[0] + 4 * p[1] + p[2]);
    if (refinements == 0) return whole;
    const std::array<double, 3> left{p[0], power_at(from + 0.25 * h), p[1]},
        right{p[1], power_at(from + 0.75 * h), p[2]};
    const double halves = h / 12 * (left[0] + 4 * left[1] + 2 * p[1] + 4 * right[1] + right[2]);
    const double size =
        std::max({std::abs(left[0]), std::abs(left[1]), std::abs(p[1]), std::abs(right[1]), std::abs(right[2])});
    largest_power_ = std::max(largest_power_, size);  // where little power flows little accuracy is needed
    if (std::abs(halves - whole) <= experiment_.tolerance * h * largest_power_) return halves + (halves - whole) / 15;
    return simpson(from, 0.5 * h, left, refinements - 1) + simpson(from + 0.5 * h, 0.5 * h, right, refinements - 1);
  }

  // At a time within the last step. Forces of drives come from the accelerations there, never from interpolated multipliers.
  double power_at(double t) {
    const formalism::State& s = state_at(t);
    if (snapshot_->has_drive() && snapshot_->evaluate_drives(t, s.q, s.v) == Eval::ok) {
      lambda_ = snapshot_->lambda;
    } else {
      snapshot_->evaluate_motion(t, s.q, s.v);
    }
    return snapshot_->power(lambda_);
  }

  // A force on the angle of a cut hinge knows the angle within half a turn only: beyond that it would jump.
  std::string wrapped_hinge() const {
    for (const auto& item : active_->forces()) {
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

  // Rows dropped as redundant are watched, at output times: if they open, the choice has become wrong.
  // Under a formulation that drifts all rows open alike; that is not their fault.
  bool constraints_strayed() const {
    if (prepared_.rank.redundant.empty()) return false;
    double redundant = 0, active = 0;
    for (int k : prepared_.rank.redundant) redundant = std::max(redundant, std::abs(snapshot_->positions[k]));
    for (int k : active_->active()) active = std::max(active, std::abs(snapshot_->positions[k]));
    return redundant > 1e3 * experiment_.tolerance * length_ && redundant > 10 * active;
  }

  std::string strayed_reason() const {
    int worst = prepared_.rank.redundant[0];
    for (int k : prepared_.rank.redundant) {
      if (std::abs(snapshot_->positions[k]) > std::abs(snapshot_->positions[worst])) worst = k;
    }
    const std::string drives = drives_of_loop(*prepared_.all, worst);
    return fmt::format(
        "Constraint \"{}\" followed from the others at the start, but has opened by {:.3g}. Drives of one motion may "
        "contradict each other{}{}; otherwise a tighter tolerance may help.",
        prepared_.all->rows()[worst].name(), std::abs(snapshot_->positions[worst]), drives.empty() ? "" : ": ", drives);
  }

  // Near a position where the chosen rows depend on each other the others open first, by their rates, and grow from step to
  // step. Looked at again only when it has become twice as bad: the best rows may be chosen already.
  bool rows_lose_hold() {
    if (prepared_.rank.redundant.empty()) return false;
    const formalism::State& s = state_at(motion_->t());
    prepared_.all->constraints(s.t, s.q, s.v, g_, rate_, workspace_);
    double redundant = 0, active = 0, speed = 1;
    for (double v : s.v) speed = std::max(speed, std::abs(v));
    for (std::size_t k = 0; k < rate_.size(); ++k) {
      const bool is_active = std::ranges::binary_search(active_->active(), static_cast<int>(k));
      (is_active ? active : redundant) = std::max(is_active ? active : redundant, std::abs(rate_[k]));
    }
    if (redundant < 10 * std::max(active, experiment_.tolerance * speed) || redundant < 2 * refused_rate_) return false;
    refused_rate_ = redundant;
    return true;
  }

  bool renew_constraints(double t) {
    if (prepared_.rank.redundant.empty() || t <= last_renewal_) return false;
    if (t > first_renewal_ + 1e-3 * (experiment_.until - experiment_.from_time)) first_renewal_ = t, renewals_ = 0;
    constexpr int most_at_one_place = 20;
    if (renewals_ >= most_at_one_place) return false;
    const formalism::State before = state_at(motion_->t());
    state_ = before;
    if (!formalism::assemble(*prepared_.all, state_, {}).ok ||
        !formalism::fit_velocities(*prepared_.all, state_, {}).ok)
      return false;
    const formalism::Rank rank = formalism::find_rank(*prepared_.all, state_);
    if (rank.independent == active_->active()) return false;
    before_event_ = before;
    active_ = std::make_shared<Equations>(prepared_.model, prepared_.topology, rank.independent);
    ++renewals_, last_renewal_ = t, refused_rate_ = 0;
    sink_.event({t, "constraints renewed", "other rows of the redundant constraints carry the motion from here on"});
    return true;
  }

  // Where the constraints lose rank Newton's method fails although the motion goes on smoothly: a few Runge-Kutta steps with
  // the accelerations carry the state across, then it is put back onto the constraints. Refused if that would move it much,
  // or after too many attempts at one place, each twice as wide.
  bool cross_singular_position(double t) {
    constexpr int most = 8;
    if (active_->ng() == 0 || steps_ == 0) return false;
    attempts_ = t < last_crossing_ + 2 * width_ ? attempts_ + 1 : 0;
    if (attempts_ >= most) return false;
    const double average = (t - experiment_.from_time) / static_cast<double>(steps_);
    width_ = attempts_ == 0 ? 0.25 * average : 2 * width_;
    last_crossing_ = t;
    for (int refused = 0; refused < 6; ++refused, width_ *= 1.7) {  // a stage may have met the singular position itself
      if (cross_within(state_at(motion_->t()), width_) || cross_within(earlier_, width_)) return true;
    }
    return false;
  }

  // From a state at or shortly before the last one, which may stand too near to the singular position to start from.
  bool cross_within(const formalism::State& origin, double width) {
    constexpr int parts = 8;
    if (origin.q.empty()) return false;
    std::vector<formalism::State> path{origin};
    const formalism::State before = state_at(motion_->t());
    width = std::min(width + before.t - origin.t, experiment_.until - origin.t);
    for (int k = 0; k < parts; ++k) {
      path.push_back(runge_kutta(path.back(), width / parts));
      if (path.back().q.empty()) return false;
    }
    formalism::State fitted = path.back();
    if (!formalism::assemble(*prepared_.all, fitted, {}).ok ||
        !formalism::fit_velocities(*prepared_.all, fitted, {}).ok)
      return false;
    double moved = 0, speed = 1;
    for (std::size_t i = 0; i < fitted.q.size(); ++i) moved = std::max(moved, std::abs(fitted.q[i] - path.back().q[i]));
    for (double v : before.v) speed = std::max(speed, std::abs(v));
    if (moved > 1e-2 * width * speed) return false;
    for (double at = output_time(); at <= fitted.t && at > last_output_;
         at = output_time()) {  // output times on the way
      const auto& from = *std::find_if(path.rbegin(), path.rend(), [&](const auto& s) { return s.t <= at; });
      const formalism::State between = runge_kutta(from, at - from.t);
      if (between.q.empty() || !recorder_.record(*snapshot_, at, between.q, between.v, 1e-3 * output_step_))
        return false;
      last_output_ = at, ++next_output_;
    }
    before_event_ = {};  // the samples on the way stand already
    if (last_output_ < before.t) before_event_ = before;
    state_ = fitted;
    sink_.event({before.t, "singular position crossed", fmt::format("within {:.3g} s, with the accelerations", width)});
    return true;
  }

  // Classical fourth order; an empty state where the accelerations cannot be found.
  formalism::State runge_kutta(const formalism::State& s, double h) {
    const int nv = active_->nv();
    std::vector<std::vector<double>> v(4, s.v), a(4, std::vector<double>(nv));
    constexpr double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int k = 0; k < 4; ++k) {
      formalism::State x = s;
      std::vector<double> dq(nv, 0.0);
      for (int i = 0; i < nv && k > 0; ++i) dq[i] = at[k] * h * v[k - 1][i], v[k][i] = s.v[i] + at[k] * h * a[k - 1][i];
      active_->plus(x.q, dq);
      if (snapshot_->evaluate(s.t + at[k] * h, x.q, v[k], false) != Eval::ok) return {};
      a[k] = snapshot_->a;
    }
    formalism::State out = s;
    std::vector<double> dq(nv, 0.0);
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < nv; ++i) dq[i] += h * weight[k] * v[k][i], out.v[i] += h * weight[k] * a[k][i];
    }
    active_->plus(out.q, dq);
    out.t = s.t + h;
    return out;
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
  std::shared_ptr<const Equations> active_;
  std::vector<Channel> channels_;
  Recorder recorder_;
  double output_step_;
  std::unique_ptr<Snapshot> snapshot_;
  std::unique_ptr<Motion> motion_;
  std::vector<double> lambda_;
  Equations::Workspace workspace_ = prepared_.all->workspace();
  std::vector<double> g_ = std::vector<double>(prepared_.all->ng()), rate_ = g_;
  std::map<int, long> limits_;
  double power_ = 0, largest_power_ = 0, work_time_ = 0, last_output_ = -1e300, last_renewal_ = -1e300;
  double first_renewal_ = -1e300, refused_rate_ = 0;
  long next_output_ = 1;
  const double length_ = formalism::characteristic_length(*prepared_.model);
  double width_ = 0, last_crossing_ = -1e300;
  long steps_ = 0;
  int renewals_ = 0, attempts_ = 0;
  bool first_ = true, warned_of_stiffness_ = false, has_state_ = true;
};

}  // namespace

RunSummary simulate(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                    const RunOptions& options) {
  return Run(prepared, experiment, sink, options).run();
}

}  // namespace skyhook::simulation
