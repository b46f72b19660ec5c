#include "linear_point.h"

#include <fmt/format.h>

#include <algorithm>

#include "given_motion.h"
#include "interrupt.h"
#include "quantity_option.h"
#include "refuse.h"
#include "skyhook/analysis/applied_forces.h"
#include "skyhook/analysis/large_modes.h"
#include "skyhook/analysis/start.h"
#include "skyhook/simulation/simulation.h"
#include "start_from.h"

namespace skyhook::app {
namespace {

void refuse_contradictions(const LinearCommand& o) {
  if (o.start && (o.at || o.from)) refuse("--start and --at or --from name different instants.", "Give one of them.");
  if (o.gives_motion() && (o.start || o.at || o.from))
    refuse("--speed and what belongs to it is of a steady motion; --start, --at and --from name an instant.",
           "Give one of them.");
}

void add(std::vector<Warning>& to, const std::vector<Warning>& more) { to.insert(to.end(), more.begin(), more.end()); }

void stand_in_equilibrium(const MotionOptions& o, LinearPoint& out) {
  const analysis::GivenMotion motion = given_motion(o, *out.prepared.model, out.experiment);
  const analysis::Equilibrium e = analysis::find_equilibrium(out.prepared, {.motion = motion});
  out.where = motion.empty() ? "the equilibrium" : "the steady motion";
  add(out.warnings, e.warnings);
  if (!e.found) {
    out.problem =
        e.problem +
        " To linearise where the experiment starts instead, say --start; at an instant of its run, --at TIME.";
    return;
  }
  add(out.warnings, analysis::what_is_assumed(e));
  out.prepared = analysis::prepared_at(std::move(out.prepared), e);
  out.at = analysis::at_equilibrium(e);
}

// An experiment that is no simulation has a run up to the instant.
void simulate_to(const LinearCommand& o, model::Experiment& e) {
  if (e.analysis == "simulate") return;
  e.analysis = "simulate";
  e.until = std::max(e.until, e.from_time + std::max(o.at.value_or(0) - e.from_time, 1.0));
}

void move_at(const formalism::State& state, LinearPoint& out) {
  if (const auto at = analysis::in_motion(*out.prepared.active, state, out.problem)) out.at = *at;
}

// The run to the instant, from the start of the experiment or from what a result has saved.
void run_to(const LinearCommand& o, const simulation::RunState* from, const Reread& reread, LinearPoint& out) {
  const double t = o.at ? *o.at : out.prepared.state.t;
  if (t < out.prepared.state.t)
    refuse(fmt::format("--at {} s lies before the start at {} s.", t, out.prepared.state.t), "Give a later time.");
  model::Experiment e = out.experiment;
  e.from_time = out.prepared.state.t;
  if (t > e.until && e.until > e.from_time && o.at)
    refuse(fmt::format("--at {} s lies behind the end of experiment \"{}\" at {} s.", t, e.name, e.until),
           "Give an earlier time, or --until.");
  e.until = std::max(e.until, t + 1.0);
  stop_on_signals();
  simulation::RunOptions options{{}, stop_requested, reread};
  options.from = from;
  simulation::Simulation run(out.prepared, e, options);
  if (!run.advance(t)) {
    const auto& s = run.summary();
    out.problem = fmt::format("The run does not reach t = {} s. {}", t, s.reason);
    return;
  }
  const formalism::State state = run.state();
  out.prepared = run.prepared();
  add(out.warnings, run.summary().warnings);
  move_at(state, out);
}

}  // namespace

void choose_swept(const model::Model& m, const model::Experiment& experiment, const std::string& name,
                  ModesCommand& o) {
  o.sweeps_parameter = std::ranges::any_of(m.parameters, [&](const model::Parameter& p) { return p.name == name; });
  if (name != "speed") return void(o.sweeps_parameter = true);
  const bool at_instant = o.start || o.at || o.from;
  const bool stands = given_motion(o, m, experiment).speed == 0;
  o.sweeps_motion = !at_instant && (!o.sweeps_parameter || (stands && analysis::runs_on_track(m)));
  if (!o.sweeps_motion) o.sweeps_parameter = true;
}

void set_swept(const std::string& setting, ModesCommand& o) {
  if (o.sweeps_parameter) o.set.push_back(setting);
  if (o.sweeps_motion) o.speed = quantity_option("--sweep", setting.substr(setting.find('=') + 1), "m/s");
}

LinearPoint find_linear_point(const LinearCommand& o, const std::string& analysis) {
  refuse_contradictions(o);
  LinearPoint out;
  const bool runs = o.at || o.from;
  std::shared_ptr<const model::Model> m =
      std::make_shared<model::Model>(load(o, runs ? "simulate" : analysis, out.experiment));
  if (runs) refuse_bad_values(o), simulate_to(o, out.experiment), override_experiment(o, out.experiment);
  const Reread reread = rereader(o, out.experiment.name);
  if (o.from) {
    const Start start = start_from(o, m, out.experiment, reread);
    for (const std::string& text : start.warnings) fmt::print(stderr, "warning: {}\n", text);
    if (!start.interrupted.empty()) return out.problem = start.interrupted, out;
    out.where = *o.from;
    out.prepared = analysis::prepare(start.model, out.experiment, &start.state);
    if (!out.prepared.ok()) return out.problem = out.prepared.problem(), out;
    run_to(o, start.run_state ? &*start.run_state : nullptr, reread, out);
    if (o.at) out.where += fmt::format(", run on to t = {} s", *o.at);
    return out;
  }
  out.prepared = runs || o.start ? analysis::prepare(m, out.experiment) : simulation::prepare(m, out.experiment);
  out.warnings = simulation::warnings_before(out.prepared);
  if (!out.prepared.ok()) return out.problem = out.prepared.problem(), out;
  if (o.at) {
    out.where = fmt::format("the run at t = {} s", *o.at);
    run_to(o, nullptr, reread, out);
  } else if (o.start) {
    out.where = fmt::format("the start at t = {} s", out.prepared.state.t);
    move_at(out.prepared.state, out);
  } else {
    stand_in_equilibrium(o, out);
  }
  return out;
}

analysis::Linearisation linearise(const LinearCommand& o, bool with_inputs, LinearPoint& point,
                                  const std::vector<std::string>& names) {
  point.prepared = analysis::with_applied_forces(point.prepared, names);
  analysis::Linearisation linear =
      analysis::linearise(point.prepared, point.at, {.differences = o.differences, .with_inputs = with_inputs});
  point.problem = linear.problem;
  if (!linear.is_steady)
    point.warnings.push_back(
        {"not_steady",
         {},
         std::string(point.at.is_given_motion
                         ? "the matrices change along the motion, since something that spins is not round or bends as "
                           "it turns: they "
                           "hold for this instant alone, and modes of "
                         : "the motion is not steady there: the matrices hold for this instant alone, and modes of ") +
             "them are those of a motion that stood still in them."});
  return linear;
}

std::shared_ptr<const analysis::Stand> stand_of(const LinearPoint& point) {
  const auto& p = point.prepared;
  return std::make_shared<const analysis::Stand>(
      point.at.stands ? analysis::stand_at_rest(p.active, p.all, point.at.state, point.at.lambda)
                      : analysis::stand_moving(p.active, p.all, point.at.state));
}

analysis::Modes modes_at(const ModesCommand& o, LinearPoint& point) {
  constexpr int many = 300;  // coordinates: a dense eigenproblem of twice as many takes seconds
  analysis::Modes out;
  if (!point.problem.empty()) return out.problem = point.problem, out;
  if (o.lowest && *o.lowest < 1) refuse("--lowest must be 1 or more.", "For example --lowest 10.");
  const auto& eq = *point.prepared.active;
  if (o.lowest || eq.moving() - eq.ng() > many) {
    out = analysis::find_lowest_modes(point.prepared, point.at, {.count = o.lowest.value_or(20)});
    if (!o.lowest && out.problem.empty())
      fmt::print(stderr, "The model has {} degrees of freedom: these are the modes nearest to zero (--lowest).\n",
                 eq.moving() - eq.ng());
  } else {
    const analysis::Linearisation linear = linearise(o, false, point);
    if (point.problem.empty()) out = analysis::find_modes(point.prepared, point.at, linear);
  }
  if (point.problem.empty()) point.problem = out.problem;
  out.problem = point.problem;
  return out;
}

analysis::Modes modes_with(const ModesCommand& o, const std::string& setting, LinearPoint& point) {
  if (stop_requested()) {
    analysis::Modes none;
    return none.problem = "The search was interrupted.", none;
  }
  ModesCommand there = o;
  set_swept(setting, there);
  point = find_linear_point(there, "modes");
  return modes_at(there, point);
}

}  // namespace skyhook::app
