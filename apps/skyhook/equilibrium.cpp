#include "skyhook/analysis/equilibrium.h"

#include <fmt/format.h>

#include "analysis_files.h"
#include "given_motion.h"
#include "model_commands.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::app {
namespace {

using analysis::Equilibrium;

// From so many bodies on each is taken by itself: the matrices are sparse, and a step turns each link of a chain by as much as it should, not all that hang on it.
constexpr std::size_t many_bodies = 150;

void choose_coordinates(const ModelOptions& options, model::Model& m) {
  if (!options.coordinates.empty() || m.coordinates != model::Coordinates::joint || m.bodies.size() < many_bodies)
    return;
  for (const model::Body& body : m.bodies) {
    if (body.coordinates) return;
  }
  m.coordinates = model::Coordinates::absolute;
}

std::string list_of(const std::vector<Equilibrium::Pressed>& list, const char* held) {
  Table table;
  table.add_column("name"), table.add_column(held), table.add_column("force");
  for (const auto& one : list)
    table.add_row({one.name, Structured{one.holds ? "yes" : "no", one.holds ? "true" : "false"}, one.force});
  return table.to_json();
}

std::string steered_of(const Equilibrium& e) {
  return e.steered.name.empty() ? "null"
                                : fmt::format("{{\"coordinate\": {}, \"value\": {}}}", json_string(e.steered.name),
                                              json_number(e.steered.value));
}

std::string efforts_of(const Equilibrium& e) {
  Table table;
  table.add_column("coordinate"), table.add_column("force");
  for (const auto& one : e.efforts) table.add_row({one.name, one.force});
  return table.to_json();
}

std::string course_of(const analysis::TrackCourse& c) {
  if (c.track.empty()) return "null";
  return fmt::format(
      "{{\"track\": {}, \"way\": {}, \"radius\": {}, \"cant_angle\": {}, \"climb\": {}, \"yaw_rate\": {}, "
      "\"unbalanced_acceleration\": {}}}",
      json_string(c.track), json_number(c.way), c.radius == 0 ? "null" : json_number(c.radius), json_number(c.cant),
      json_number(c.climb), json_number(c.yaw_rate), json_number(c.unbalanced));
}

std::string json_of(const Equilibrium& e, const std::vector<Warning>& warnings, const Table& table) {
  return fmt::format(
      "{{\"found\": true, \"stable\": {}, \"unique\": {}, \"free\": {}, \"way\": {}, \"iterations\": {}, \"residual\": "
      "{}, "
      "\"contacts\": {}, \"frictions\": {}, \"efforts\": {}, \"steered\": {}, \"course\": {}, \"warnings\": {}, "
      "\"values\": {}}}",
      e.stability_is_known ? e.stable ? "true" : "false" : "null", e.unique, json_list(e.free), json_string(e.way),
      e.iterations, json_number(e.residual), list_of(e.contacts, "closed"), list_of(e.frictions, "sticks"),
      efforts_of(e), steered_of(e), course_of(e.course), to_json(warnings), table.to_json());
}

void print_motion(const Equilibrium& e) {
  if (const auto& c = e.course; !c.track.empty()) {
    const std::string bend = c.radius == 0
                                 ? "straight"
                                 : fmt::format("a curve of {:.6g} m to the {}, cant {:.4g} rad", std::abs(c.radius),
                                               c.radius > 0 ? "left" : "right", std::abs(c.cant));
    fmt::print("track {} at {:.6g} m: {}; yaw rate {:.6g} rad/s, {:.6g} m/s^2 to the left more than the weight gives\n",
               printable(c.track), c.way, bend, c.yaw_rate, c.unbalanced);
  }
  for (const auto& one : e.efforts)
    fmt::print("to keep {} as given takes {:.6g} N or N.m\n", printable(one.name), one.force);
}

void print_text(const std::string& name, const Equilibrium& e, const Table& table) {
  if (e.active->nv() == 0) {
    fmt::print("equilibrium of {}: nothing can move, {}\n", printable(name),
               e.model->bodies.empty() ? "the model has no bodies" : "joints and drives say where everything stands");
    print_motion(e);
    fmt::print("{}", table.to_text());
    return;
  }
  std::string free;
  for (const std::string& one : e.free) free += (free.empty() ? "" : "; ") + one;
  fmt::print("equilibrium of {} found in {} iterations{}, residual {:.1e} of the largest force{}\n", printable(name),
             e.iterations, e.way.empty() || e.way == "descent" ? "" : " by " + e.way, e.residual,
             !e.stability_is_known ? "; whether it is stable is not known"
             : e.stable            ? ""
                                   : "; it is UNSTABLE");
  if (!e.free.empty()) fmt::print("not unique: nothing resists {}; held where it is\n", printable(free));
  for (const auto& one : e.contacts) {
    if (one.holds)
      fmt::print("contact {} is closed with {:.6g} N\n", printable(one.name), one.force);
    else
      fmt::print("contact {} is open\n", printable(one.name));
  }
  for (const auto& one : e.frictions)
    fmt::print("friction {} {} with {:.6g} N or N.m\n", printable(one.name),
               one.holds ? "holds" : "has slipped and holds", one.force);
  if (!e.steered.name.empty())
    fmt::print("steered by {} = {:.9g} m or rad\n", printable(e.steered.name), e.steered.value);
  print_motion(e);
  fmt::print("{}", table.to_text());
}

// Of a steady motion the potential does not say whether it is stable, since what it takes to keep it does work: its modes do.
void judge_motion(const simulation::Prepared& p, Equilibrium& e) {
  constexpr int many = 300;  // coordinates: all modes of more take seconds
  if (e.motion.is_rest()) return;
  e.stability_is_known = false;
  const simulation::Prepared there = analysis::prepared_at(p, e);
  if (there.active->moving() - there.active->ng() > many) return;
  const analysis::OperatingPoint at = analysis::at_equilibrium(e);
  const analysis::Linearisation linear = analysis::linearise(there, at, {.with_inputs = false});
  if (!linear.problem.empty() || !linear.is_steady) return;
  const analysis::Modes modes = analysis::find_modes(there, at, linear);
  if (modes.problem.empty()) e.stability_is_known = true, e.stable = modes.is_stable;
}

struct Value {
  simulation::ChannelInfo channel;
  double value;
};

// The outputs there.
std::vector<Value> outputs_of(const simulation::Prepared& p, const Equilibrium& e, const model::Experiment& experiment,
                              const simulation::Snapshot& snapshot) {
  const auto outputs = experiment.outputs.empty() ? p.model->outputs : experiment.outputs;
  simulation::Running running;
  running.start_energy = snapshot.kinetic + snapshot.potential;
  std::vector<Value> list;
  for (const auto& c : simulation::choose_channels(simulation::all_channels(*e.active), outputs))
    list.push_back({{c.name, c.unit}, c.value(snapshot, running)});
  return list;
}

Table table_of(const simulation::Prepared& p, const Equilibrium& e, const std::vector<Value>& outputs) {
  Table table;
  table.add_column("channel");
  table.add_column("value", "", 10);
  table.add_column("unit");
  for (const Value& one : outputs) table.add_row({one.channel.name, one.value, one.channel.unit});
  for (int i = 0; i < p.active->nq(); ++i)
    table.add_row(
        {p.active->position_names()[i] + " (coordinate)", e.state.q[i] + p.active->reference(i), std::string()});
  for (int i = p.active->moving(); i < p.active->nv(); ++i)
    table.add_row({p.active->velocity_names()[i] + " (state)", e.state.v[i],
                   p.active->inner_states()[i - p.active->moving()].unit});
  return table;
}

// One position, at the start time: a run can start from such a result.
analysis::Findings findings_of(const Equilibrium& e, const std::vector<Value>& outputs,
                               const std::vector<Warning>& warnings, const std::string& json) {
  analysis::Findings out{.analysis = "equilibrium", .method = e.way};
  const auto stand = e.motion.is_rest() ? analysis::stand_at_rest(e.active, e.all, e.state, e.lambda)
                                        : analysis::stand_moving(e.active, e.all, e.state);
  analysis::Findings::Point point{e.state.t, {}, {}, std::make_shared<const analysis::Stand>(stand)};
  for (const Value& one : outputs) out.channels.push_back(one.channel), point.values.push_back(one.value);
  out.points.push_back(std::move(point));
  out.warnings = warnings, out.json = json;
  return out;
}

}  // namespace

int equilibrium(const EquilibriumCommand& options) {
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(options, "equilibrium", experiment));
  const AnalysisFiles files = analysis_files(options, m->files);
  choose_coordinates(options, *m);
  const simulation::Prepared p = simulation::prepare(m, experiment);
  Equilibrium e = analysis::find_equilibrium(p, {.motion = given_motion(options, *m, experiment)});
  if (e.found) judge_motion(p, e);
  std::vector<Warning> warnings = simulation::warnings_before(p);
  warnings.insert(warnings.end(), e.warnings.begin(), e.warnings.end());
  print_warnings(warnings);
  if (!e.found) {
    if (options.json)
      fmt::print("{{\"found\": false, \"problem\": {}, \"iterations\": {}, \"residual\": {}, \"warnings\": {}}}\n",
                 json_string(e.problem), e.iterations, json_number(e.residual), to_json(warnings));
    fmt::print(stderr, "{}\n", e.problem);
    return numerical_failure;
  }
  simulation::Evaluator evaluator(e.active, e.all);
  const bool ok = e.motion.is_rest() ? evaluator.evaluate_at_rest(e.state.t, e.state.q, e.state.v, e.lambda) == Eval::ok
                                     : evaluator.evaluate(e.state.t, e.state.q, e.state.v) == Eval::ok;
  if (!ok) {
    fmt::print(stderr, "The forces cannot be found: {}.\n", evaluator.blame());
    return numerical_failure;
  }
  const simulation::Prepared there = analysis::prepared_at(p, e);
  const std::vector<Value> outputs = outputs_of(there, e, experiment, evaluator.now());
  const Table table = table_of(there, e, outputs);
  const std::string json = json_of(e, warnings, table);
  if (options.json)
    fmt::print("{}\n", json);
  else if (!options.quiet)
    print_text(m->name, e, table);
  write_analysis(files, options, findings_of(e, outputs, warnings, json), analysis::info_of(there, experiment));
  return success;
}

}  // namespace skyhook::app
