#include "start_from.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "interrupt.h"
#include "quantity_option.h"
#include "refuse.h"
#include "skyhook/analysis/start.h"
#include "skyhook/element/plugin_law.h"
#include "skyhook/io/result/reader.h"
#include "skyhook/simulation/instant.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "skyhook/simulation/turns.h"

namespace skyhook::app {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

struct Wish {
  std::string file;
  double t;
};

Wish wish_of(const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    refuse("--from " + text + " is not of the form FILE@TIME.",
           "For example --from old.h5@1.5, or --from \"old.h5@10 ms\".");
  return {text.substr(0, at), quantity_option("the time of --from", text.substr(at + 1), "s")};
}

// The last sample at or before t; t becomes its time where only rounding, or digits that were not typed, are between them.
std::size_t sample_at(const io::ResultFile& file, double& t) {
  const std::vector<double>& time = file.time();
  file.state_at(t);  // refuses where there is none
  const double slack = 1e-9 * (time.back() - time.front()) / static_cast<double>(time.size());
  const auto beyond = std::upper_bound(time.begin(), time.end(), t + std::max(slack, 1e-12 * std::abs(t)));
  const std::size_t last = static_cast<std::size_t>(std::max<std::ptrdiff_t>(beyond - time.begin(), 1) - 1);
  if (std::abs(time[last] - t) <= std::max(slack, 1e-12 * std::abs(t))) t = time[last];
  return last;
}

// Both sides of a drive's jump are stored with its time; the state of the run knows on which of them it was.
double side_of_jump(const simulation::RunState& run_state, double t) {
  const auto exact = simulation::Restoring(run_state).get("t");
  return exact && simulation::same_instant(*exact, t) ? *exact : t;
}

// By the names of the coordinates.
formalism::State state_of(const io::RestartState& old, const std::string& file, std::shared_ptr<const model::Model> m,
                          const model::Experiment& experiment) {
  std::map<std::string, double> value;
  for (std::size_t k = 0; k < old.names.size(); ++k) value[old.names[k]] = old.y[k];
  m = element::plugin::load_plugins(std::move(m));  // as prepare() does
  const auto tree = formalism::choose_tree(*m, experiment.independent);
  const formalism::EquationsOfMotion eq(m, tree);
  formalism::State s = formalism::initial_guess(eq, old.t);
  const auto fill = [&](const std::vector<std::string>& names, std::vector<double>& out) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto found = value.find(names[k]);
      if (found == value.end())
        throw ModelError({file}, "it has no coordinate \"" + names[k] + "\" of this model.",
                         "Start from a result of the same model, in the same `coordinates`.");
      if (!std::isfinite(found->second))
        throw ModelError({file},
                         fmt::format("\"{}\" is {} at {} s: the file is damaged.", names[k], found->second, old.t),
                         "Start from another time of the result, or repeat its run.");
      out[k] = found->second;
    }
  };
  fill(eq.position_names(), s.q), fill(eq.velocity_names(), s.v);
  return s;
}

// The expanded model without what does not move it.
std::string mechanics_of(const std::string& expanded) {
  std::string out;
  bool counts = true;
  for (std::size_t begin = 0; begin < expanded.size();) {
    const std::size_t end = std::min(expanded.find('\n', begin), expanded.size() - 1) + 1;
    const std::string line = expanded.substr(begin, end - begin);
    const bool is_key = line[0] != ' ' && line[0] != '-' && line[0] != '#' && line[0] != '\n';
    const auto has_key = [&](const char* key) { return line.starts_with(std::string(key) + ":"); };
    if (is_key) counts = !has_key("experiments") && !has_key("outputs") && !has_key("name") && !has_key("description");
    if (counts) out += line;
    begin = end;
  }
  return out;
}

// "50 -" is a plain number.
std::string shown(const std::string& value) {
  return value.ends_with(" -") ? value.substr(0, value.size() - 2) : value;
}

// What the model was run with and now has not.
std::string changed_parameters(const simulation::RunInfo& before, const model::Model& now) {
  std::string list;
  for (const auto& [name, value] : before.parameters) {
    const auto found = std::ranges::find(now.parameters, name, &model::Parameter::name);
    if (found == now.parameters.end()) continue;
    const std::string here = fmt::format("{} {}", found->value, found->unit);
    if (here != value)
      list += fmt::format("{}{} was {} and is {}", list.empty() ? "" : ", ", name, shown(value), shown(here));
  }
  return list;
}

bool is_set(const RunCommand& options, const std::string& parameter) {
  return std::ranges::any_of(options.set, [&](const std::string& s) { return s.starts_with(parameter + "="); });
}

// What events have set holds, unless the command line says otherwise.
Parameters parameters_of(const RunCommand& options, const model::Model& model, const Parameters& by_events,
                         std::vector<std::string>& warnings) {
  Parameters kept;
  for (auto at = by_events.begin(); at != by_events.end(); ++at) {
    const auto& [name, value] = *at;
    const auto sets_it_again = [&](const auto& later) { return later.first == name; };
    if (std::any_of(std::next(at), by_events.end(), sets_it_again)) continue;
    const auto warn = [&](const char* but) {
      warnings.push_back(fmt::format("An event of the result has set {} = {}; {}.", name, shown(value), but));
    };
    if (is_set(options, name))
      warn("--set counts");
    else if (std::ranges::find(model.parameters, name, &model::Parameter::name) == model.parameters.end())
      warn("this model has no such parameter");
    else
      kept.emplace_back(name, value);
  }
  return kept;
}

// As the earlier run would have begun with it: that one may have started from a result too, with parameters set by events.
std::shared_ptr<const model::Model> model_at_start(const io::ResultFile& file, const RunCommand& options,
                                                   const std::shared_ptr<const model::Model>& model,
                                                   const Reread& reread) {
  const auto first = file.run_state(0);
  std::vector<std::string> told_elsewhere;
  const Parameters set = first ? parameters_of(options, *model, first->parameters, told_elsewhere) : Parameters{};
  return set.empty() ? model : reread(set);
}

// Names of all that a run keeps in its mind beside q and v.
std::string forgotten(const model::Model& m) {
  std::string list;
  const auto name = [&](const char* what, const auto& thing) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", what, thing.name);
  };
  const auto add = [&](const char* what, const auto& things) {
    for (const auto& thing : things) name(what, thing);
  };
  add("controller", m.controllers);
  for (const auto* contact : those_that_hold(m, model::Row::Holds::pressed)) name("contact", *contact);
  for (const auto* friction : those_that_hold(m, model::Row::Holds::stuck)) name("friction", *friction);
  std::vector<model::EventRule> setting;
  for (const model::EventRule& rule : m.events) {
    const auto sets = [](const model::Action& a) { return a.kind == model::Action::Kind::set_parameter; };
    if (std::ranges::any_of(rule.actions, sets)) setting.push_back(rule);
  }
  add("what has been set by event", setting);
  return list;
}

// Keeps the last sample.
struct LastSample : simulation::MemorySink {
  io::RestartState state;
  simulation::RunState run_state;
  void begin(const simulation::RunInfo& i) override { info = i; }
  void sample(const simulation::Sample& s) override {
    if (!s.run_state) return;
    state = {s.t, {s.y.begin(), s.y.end()}, {}, {}};
    run_state = *s.run_state;
  }
  void step(const simulation::StepRecord&) override {}
};

// From the stored instant to t, as the earlier run went.
void run_up(const RunCommand& options, model::Experiment experiment, double t, const Reread& reread, Start& start) {
  RunCommand there = options;
  there.until = t;
  experiment.from_time = start.state.t, experiment.until = t, experiment.output_step = t - start.state.t;
  there.output_step.reset();
  override_experiment(there, experiment);
  const simulation::Prepared p = analysis::prepare(start.model, experiment, &start.state);
  LastSample last;
  std::string problem = p.problem();
  stop_on_signals();
  if (p.ok()) {
    const simulation::RunOptions o{{}, stop_requested, reread, &*start.run_state};
    const simulation::RunSummary s = simulation::simulate(p, experiment, last, o);
    if (s.status == simulation::RunStatus::interrupted) {
      start.interrupted = fmt::format("The run from the stored instant at {} s to {} s was interrupted at {:.6g} s.",
                                      start.state.t, t, s.t_reached);
      return;
    }
    problem = s.status == simulation::RunStatus::failed ? s.reason
              : last.state.t == t                       ? ""
                                                        : fmt::format("It ends at {} s.", s.t_reached);
  }
  if (!problem.empty() || last.state.y.empty())
    throw ModelError({*options.from}, fmt::format("the run from the stored instant to {} s fails. {}", t, problem),
                     fmt::format("Start from a stored instant, the last before is {} s.", start.state.t));
  const auto nq = static_cast<std::ptrdiff_t>(start.state.q.size());
  start.state.t = t;
  start.state.q.assign(last.state.y.begin(), last.state.y.begin() + nq);
  start.state.v.assign(last.state.y.begin() + nq, last.state.y.end());
  start.run_state = last.run_state;
  start.state.angles = simulation::saved_turns(*start.model, t, last.run_state);
}

}  // namespace

Start start_from(const RunCommand& options, std::shared_ptr<const model::Model> model,
                 const model::Experiment& experiment, const Reread& reread) {
  auto [name, t] = wish_of(*options.from);
  const io::ResultFile file = io::ResultFile::open(name);
  const std::size_t sample = sample_at(file, t);
  const double stored = file.time()[sample];
  Start start;
  start.run_state = file.run_state(sample);
  const auto then = model_at_start(file, options, model, reread);
  start.same_model = mechanics_of(file.info().expanded) == mechanics_of(then->expanded);
  const auto warn = [&](const std::string& text) { start.warnings.push_back(name + ": " + text); };
  if (!start.same_model) {
    const std::string changed = changed_parameters(file.info(), *then);
    warn("the model has changed since this run" + (changed.empty() ? "." : ": " + changed + "."));
  }
  if (start.run_state) {
    start.run_state->parameters = parameters_of(options, *model, start.run_state->parameters, start.warnings);
    if (!start.run_state->parameters.empty()) model = reread(start.run_state->parameters);
  } else if (const std::string what = forgotten(*model); !what.empty()) {
    warn(fmt::format(
        "this result has no state of the run beside positions and velocities at {} s. These start anew: {}.", t, what));
  }
  start.model = model;
  const bool runs_up = t != stored && start.run_state && start.same_model;
  start.state = state_of(file.state_at(runs_up ? stored : t), name, model, experiment);
  if (start.run_state) start.state.angles = simulation::saved_turns(*model, start.state.t, *start.run_state);
  if (start.run_state && (runs_up || t == stored)) start.state.t = side_of_jump(*start.run_state, start.state.t);
  if (runs_up)
    run_up(options, experiment, t, reread, start);
  else if (t != stored)
    warn(fmt::format("has no sample at {} s: positions and velocities are interpolated between {} s and {} s.", t,
                     stored, file.time()[sample + 1]));
  return start;
}

}  // namespace skyhook::app
