#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <optional>

#include "commands.h"
#include "interrupt.h"
#include "model_commands.h"
#include "plugins.h"
#include "refuse.h"
#include "run_evaluations.h"
#include "skyhook/analysis/start.h"
#include "skyhook/analysis/verification.h"
#include "skyhook/base/new_file.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/table.h"
#include "skyhook/corrector/strategy.h"
#include "skyhook/element/plugin_law.h"
#include "skyhook/io/report/report.h"
#include "skyhook/io/result/tables.h"
#include "skyhook/io/result/writer.h"
#include "skyhook/model/analysis_options.h"
#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/plausibility.h"
#include "skyhook/simulation/simulate.h"
#include "skyhook/simulation/solvers.h"
#include "stages.h"
#include "start_from.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

// Messages about these blame the command line, not the file.
void name_command_line(const RunCommand& o, model::Experiment& e) {
  const auto name = [&](const char* field, bool is_given) {
    if (!is_given) return;
    std::erase_if(e.given, [&](const auto& g) { return g.first == field; });
    e.given.emplace_back(field, Location{"command line"});
  };
  name("tolerance", o.tolerance.has_value()), name("absolute_tolerance", o.absolute_tolerance.has_value());
  name("solver", o.solver.has_value()), name("jacobian", o.jacobian.has_value());
  name("until", o.until.has_value()), name("output_step", o.output_step.has_value());
}

void override_samples(const RunCommand& o, model::Experiment& e) {
  if (!o.samples) return;
  if (*o.samples != "curve" && *o.samples != "solved")
    refuse(fmt::format("--samples is \"{}\", but must be curve or solved.", *o.samples), "solved: each by itself.");
  model::AnalysisOptions options = e.options ? *e.options : model::AnalysisOptions();
  options.samples = *o.samples;
  e.options = std::make_shared<const model::AnalysisOptions>(std::move(options));
}

}  // namespace

void refuse_bad_values(const RunCommand& o) {
  const auto bad = [](const std::optional<double>& x, double most) { return x && !(*x > 0 && *x <= most); };  // NaN too
  constexpr double any = std::numeric_limits<double>::max();
  if (bad(o.tolerance, 0.1)) {
    refuse(fmt::format("--tolerance is {}, but must be above 0 and at most 0.1.", *o.tolerance),
           "Usual are 1e-4 to 1e-8.");
  }
  if (bad(o.absolute_tolerance, 0.1)) {
    refuse(fmt::format("--absolute-tolerance is {}, but must be above 0 and at most 0.1.", *o.absolute_tolerance),
           "Usual are 1e-4 to 1e-8.");
  }
  if (bad(o.until, any)) {
    refuse(fmt::format("--until is {}, but must be a number above 0.", *o.until), "It is the end time in s.");
  }
  if (bad(o.output_step, any)) {
    refuse(fmt::format("--output-step is {}, but must be a number above 0.", *o.output_step),
           "It is the time between samples in s.");
  }
  if (o.out && o.out->empty()) refuse("--out is empty, but must name a file.", "For example --out run.h5.");
  require_file_name("--out", o.out.value_or(""));
  require_file_name("--report", o.report.value_or(""));
}

void override_experiment(const RunCommand& o, model::Experiment& e) {
  if (o.tolerance) e.tolerance = *o.tolerance, e.absolute_tolerance = 0;
  e.absolute_tolerance = o.absolute_tolerance.value_or(e.absolute_tolerance);
  e.solver = o.solver.value_or(e.solver);
  e.jacobian = o.jacobian.value_or(e.jacobian);
  e.until = o.until.value_or(e.until);
  e.output_step = o.output_step.value_or(e.output_step);
  override_samples(o, e);
  name_command_line(o, e);
  if (e.solver != "auto") simulation::find_solver(e.solver, simulation::line_of(e, "solver"));
  if (!find_jacobian(e.jacobian)) {
    throw ModelError(simulation::line_of(e, "jacobian"), "there is no Jacobian strategy \"" + e.jacobian + "\".",
                     suggest(e.jacobian, jacobian_names(), "Strategies"));
  }
  if (e.analysis != "simulate")
    throw ModelError(e.where, "experiment \"" + e.name + "\" does not simulate.",
                     "Use `skyhook " + e.analysis + "` for it.");
  if (e.until > e.from_time) {
    constexpr double most_samples = 1e8;
    if (e.output_step > 0 && (e.until - e.from_time) / e.output_step > most_samples)
      throw ModelError(simulation::line_of(e, "output_step"), "the output step is too small for the length of the run.",
                       "At most 1e8 samples are recorded.");
    return;
  }
  if (e.until != 0)
    throw ModelError(simulation::line_of(e, "until"),
                     fmt::format("the run would end at {} s, not after its start at {} s.", e.until, e.from_time),
                     "Give a later end time.");
  const std::string advice = "Add `until: 10 s` to an experiment of the file, or give --until 10.";
  if (e.name.empty()) throw ModelError({o.model}, "the model has no experiment that simulates.", advice);
  throw ModelError(e.where, "experiment \"" + e.name + "\" does not say when to end.", advice);
}

namespace {

// A run writes a result: under a name that promises something else nobody would find it.
void refuse_other_format(const std::string& out, const std::string& model) {
  const std::filesystem::path path(out);
  const std::string ending = path.extension().string(), result = path.stem().string() + ".h5";
  const auto refuse_for = [&](const std::string& advice) {
    refuse(fmt::format("--out {} ends in {}, but what a run writes is a result (.h5).", out, ending), advice);
  };
  if (ending == ".svg" || ending == ".png")
    refuse_for(fmt::format("Give -o {0}; `skyhook plot {0} CHANNEL -o {1}` draws it.", result, out));
  if (ending == ".csv" || ending == ".mat")
    refuse_for(
        fmt::format("Give -o {0}; `skyhook export {0} --{1} {2}` makes a table of it.", result, ending.substr(1), out));
  if (ending == ".html") refuse_for(fmt::format("Give -o {}, and --report {} for the page.", result, out));
  if (ending == ".yaml" || ending == ".yml")
    refuse_for(fmt::format("Give -o {0}; `skyhook expand {1} -o {2}` writes the model.", result, model, out));
  if (ending == ".json") refuse_for(fmt::format("Give -o {}; --json prints what is to be said of the run.", result));
  if (ending == ".txt") refuse_for(fmt::format("Give -o {0}; `skyhook show {0} CHANNEL` prints numbers.", result));
}

std::string result_file(const RunCommand& o) {
  if (o.out) refuse_other_format(*o.out, o.model);
  return o.out.value_or(std::filesystem::path(o.model).stem().string() + ".h5");
}

std::vector<std::string> inputs_of(const RunCommand& o, const model::Model& m) {
  std::vector<std::string> files = m.files;
  if (o.from) files.push_back(NewFile::readable(o.from->substr(0, o.from->rfind('@'))).string());
  return files;
}

// What hinders the report is told before the run, not after it.
std::string report_file(const RunCommand& o, const std::string& result) {
  if (!o.report) return "";
  io::require_viewer();
  const std::string name = o.report->empty() ? report_name(result) : *o.report;
  io::check_report_place(name);
  return name;
}

Table error_table(const analysis::Verification& found) {
  Table table;
  table.add_column("output");
  table.add_column("estimated error");
  table.add_column("unit");
  table.add_column("relative to its largest value");
  for (const auto& e : found.errors)
    table.add_row({e.channel, e.largest, e.unit, e.size > 0 ? e.largest / e.size : 0.0});
  return table;
}

Table summary_table(const simulation::RunSummary& s) {
  Table table;
  table.add_column("quantity");
  table.add_column("value", "", 4);
  table.add_row({std::string("simulated time reached [s]"), s.t_reached});
  table.add_row({std::string("wall time [s]"), s.seconds});
  for (std::size_t k = 0; k < simulation::part_names.size(); ++k)
    table.add_row({std::string("  ") + simulation::part_names[k].text, s.parts.seconds[k]});
  table.add_row({std::string("steps"), s.cost.steps});
  table.add_row({std::string("error test failures"), s.cost.error_test_failures});
  table.add_row({std::string("corrector failures"), s.cost.newton_failures});
  table.add_row({std::string("residuals"), s.cost.residuals});
  table.add_row(
      {std::string("residuals without those for Jacobians"), s.cost.residuals - s.cost.residuals_for_jacobian});
  table.add_row({std::string("Jacobians"), s.cost.jacobians});
  table.add_row({std::string("Jacobian updates"), s.cost.updates});
  table.add_row({std::string("factorisations"), s.cost.factorisations});
  table.add_row({std::string("position projections"), s.cost.projections});
  if (s.events > 0) table.add_row({std::string("events"), s.events});
  table.add_row({std::string("samples recorded"), s.recorded});
  if (s.from_curve > 0) table.add_row({std::string("  from the curve through others"), s.from_curve});
  if (s.without_rates > 0) table.add_row({std::string("  with differences as rates"), s.without_rates});
  if (s.samples > 0) {
    const auto per_sample = [&](long count) { return static_cast<double>(count) / static_cast<double>(s.samples); };
    table.add_row({std::string("samples"), s.samples});
    table.add_row({std::string("steps per sample"), per_sample(s.cost.steps)});
    table.add_row({std::string("evaluations per sample"), per_sample(s.cost.residuals)});
  }
  const Cell closure = std::isfinite(s.energy_closure) ? Cell(s.energy_closure) : Cell(std::string("not known"));
  table.add_row({std::string("energy balance closes to (relative)"), closure});
  table.add_row({std::string("largest position residual"), s.position_residual});
  table.add_row({std::string("largest velocity residual"), s.velocity_residual});
  return table;
}

Table limits_table(const simulation::RunSummary& s) {
  Table table;
  table.add_column("what limited the step");
  table.add_column("element");
  table.add_column("steps");
  for (std::size_t k = 0; k < s.limits.size() && k < 5; ++k)
    table.add_row({s.limits[k].state, s.limits[k].element, s.limits[k].steps});
  return table;
}

Table changes_table(const simulation::RunSummary& s) {
  Table table;
  for (const char* column : {"t", "solver", "why"}) table.add_column(column);
  for (const simulation::SolverChange& c : s.solver_changes) table.add_row({c.t, c.solver, c.why});
  return table;
}

std::string parts_json(const simulation::PartSeconds& parts) {
  std::string text;
  for (std::size_t k = 0; k < simulation::part_names.size(); ++k)
    text += fmt::format("{}{}: {}", k ? ", " : "", json_string(simulation::part_names[k].key),
                        json_number(parts.seconds[k]));
  return "{" + text + "}";
}

// `out` is empty if no result was written, `report` if no report was; `verify`: further members.
void print_json(const simulation::Prepared& p, const simulation::RunSummary& s, const std::string& out,
                const std::string& report, const std::string& verify, const std::string& events) {
  fmt::print(
      "{{\"status\": {}, \"reason\": {}, \"coordinates_are\": {}, \"solver\": {}, \"solver_reason\": {}, "
      "\"solver_changes\": {}, \"result\": "
      "{}, \"t\": {}, "
      "\"seconds\": {}, \"parts\": {}, \"integrator_seconds\": {}, "
      "\"steps\": {}, \"error_test_failures\": {}, "
      "\"corrector_failures\": {}, \"residuals\": {}, \"residuals_for_jacobian\": {}, \"jacobians\": {}, \"updates\": "
      "{}, \"factorisations\": {}, \"projections\": {}, \"samples\": {}, \"recorded\": {}, \"from_curve\": {}, "
      "\"without_rates\": {}, "
      "\"energy_closure\": "
      "{}, \"position_residual\": {}, "
      "\"velocity_residual\": {}, \"limits\": {}, \"warnings\": {}, \"events\": {}{}{}}}\n",
      json_string(to_text(s.status)), json_string(s.reason), json_string(simulation::coordinates_of(p)),
      json_string(s.solver), json_string(s.solver_reason), changes_table(s).to_json(),
      out.empty() ? "null" : json_string(out), json_number(s.t_reached), json_number(s.seconds), parts_json(s.parts),
      json_number(s.cost.seconds), s.cost.steps, s.cost.error_test_failures, s.cost.newton_failures, s.cost.residuals,
      s.cost.residuals_for_jacobian, s.cost.jacobians, s.cost.updates, s.cost.factorisations, s.cost.projections,
      s.samples, s.recorded, s.from_curve, s.without_rates, json_number(s.energy_closure),
      json_number(s.position_residual), json_number(s.velocity_residual), limits_table(s).to_json(),
      to_json(s.warnings), events, report.empty() ? "" : ", \"report\": " + json_string(report), verify);
}

struct Verified {
  std::string text, json;  // json: further members of the object that is printed
  bool interrupted = false;
};

Verified verify(const simulation::Prepared& p, model::Experiment experiment, const simulation::MemorySink& run,
                simulation::RunOptions options) {
  model::set_tolerance(experiment, experiment.tolerance / 10);
  simulation::MemorySink finer;
  options.progress = {};
  options.begun = simulation::RunClock::now();
  const auto s = simulation::simulate(p, experiment, finer, options);
  if (s.status != simulation::RunStatus::finished) {
    const std::string& why = s.reason.empty() ? to_text(s.status) : s.reason;
    return {"\nthe run at a tenth of the tolerance did not finish: " + why + "\n", ", \"verify\": null",
            s.status == simulation::RunStatus::interrupted};
  }
  const analysis::Verification found = analysis::verify(run, finer);
  const Table table = error_table(found);
  std::string text = fmt::format("\nestimated errors, from a run at tolerance {:g}, up to {:.9g} s:\n",
                                 experiment.tolerance, found.until);
  text += found.compared > 0 ? table.to_text() : "none, as no sample can be compared\n";
  for (const std::string& note : found.notes) text += note + "\n";
  return {text,
          fmt::format(", \"verify\": {}, \"verify_until\": {}, \"verify_notes\": {}", table.to_json(),
                      json_number(found.until), json_list(found.notes)),
          false};
}

std::string events_text(std::vector<simulation::EventRecord> events, const std::string& file) {
  constexpr std::size_t most = 20;
  if (events.empty()) return "";
  const std::size_t count = events.size();
  events.resize(std::min(most, count));
  std::string text = "\n" + io::event_table(events).to_text();
  if (count > most)
    text +=
        fmt::format("... and {} more, {} in all; `skyhook show {} --events` lists them.\n", count - most, count, file);
  return text;
}

void print_text(const simulation::Prepared& p, const simulation::RunSummary& s, const Verified& verified,
                const std::string& events) {
  if (s.status == simulation::RunStatus::failed && s.cost.steps == 0) return;  // nothing to sum up
  if (!p.topology.why.empty()) fmt::print("coordinates {}\n", p.topology.why);
  const std::string limits = s.limits.empty() ? "" : limits_table(s).to_text();
  if (!s.solver_reason.empty()) fmt::print("solver {}, because {}\n", s.solver, s.solver_reason);
  for (const simulation::SolverChange& c : s.solver_changes)
    fmt::print("from t = {:.6g} s on {}, because {}\n", c.t, c.solver, c.why);
  if (!s.solver_reason.empty()) fmt::print("\n");
  fmt::print("{}\n{}{}{}", summary_table(s).to_text(), limits, events, verified.text);
}

// Nothing can be recorded: an earlier result of that name stays.
int report_not_started(const RunCommand& options, const simulation::Prepared& p, simulation::RunClock::Time begun) {
  simulation::RunSummary s;
  s.status = simulation::RunStatus::failed, s.reason = p.problem(), s.t_reached = p.state.t;
  s.warnings = simulation::warnings_before(p);
  s.parts = simulation::RunClock(begun).count(), s.seconds = s.parts.sum();  // all of it is set-up
  if (options.json) print_json(p, s, "", "", "", "[]");
  fmt::print(stderr, "{}: the run cannot start, no result is written. {}\n", options.model, s.reason);
  return numerical_failure;
}

// The same before the instant at which it is to start.
int report_interrupted_start(const RunCommand& options, const Start& start) {
  if (options.json)
    fmt::print("{{\"status\": \"interrupted\", \"reason\": {}, \"result\": null}}\n", json_string(start.interrupted));
  fmt::print(stderr, "{}: no result is written. {}\n", options.model, start.interrupted);
  return interrupted;
}

// The start of --from, if there is one; the experiment then begins at its time.
std::optional<Start> start_of(const RunCommand& options, const std::shared_ptr<const model::Model>& m,
                              const Reread& reread, model::Experiment& experiment) {
  if (!options.from) return {};
  const Start start = start_from(options, m, experiment, reread);
  experiment.from_time = start.state.t;
  if (experiment.until > start.state.t || !start.interrupted.empty()) return start;
  refuse(fmt::format("--from starts at {} s, the experiment ends at {} s.", start.state.t, experiment.until),
         "Give a later --until.");
}

// What is not as it was in the earlier run, where the state was consistent.
void warn_of_start(const Start& start, double tolerance, simulation::Prepared& p) {
  const auto warn = [&](const std::string& what) { p.warnings.push_back({"from_result", {}, what}); };
  for (const std::string& what : start.warnings) warn(what);
  for (const formalism::Consistency* c : {&p.positions, &p.velocities}) {
    for (const auto& moved : c->moved) {
      if (std::abs(moved.to - moved.from) > 100 * tolerance * std::max(1.0, std::abs(moved.from)))
        warn(fmt::format("The run starts from a result, but {} must jump from {:.6g} to {:.6g} to fit the constraints.",
                         moved.name, moved.from, moved.to));
    }
  }
}

}  // namespace

int run(const RunCommand& options) {
  const simulation::RunClock::Time begun = simulation::RunClock::now();
  refuse_bad_values(options);
  model::Experiment experiment;
  Stages stages(options.quiet || options.json);
  stages.say(fmt::format("{}: reading the model",
                         options.model));  // which finds the shapes of flexible bodies: seconds where plates are large
  auto m = std::make_shared<const model::Model>(load(options, "simulate", experiment));
  stages.done();
  if (experiment.analysis != "simulate") return run_analysis(options, experiment);
  // What an experiment evaluates belongs to the whole of its run.
  const bool is_cut_short = options.until && *options.until < experiment.until && !evaluations_of(experiment).empty();
  experiment.until = options.until.value_or(experiment.until);
  const Reread reread = rereader(options, experiment.name);
  const std::optional<Start> start = start_of(options, m, reread, experiment);
  if (start && !start->interrupted.empty()) return report_interrupted_start(options, *start);
  override_experiment(options, experiment);
  if (start) m = start->model;
  simulation::Prepared p = analysis::prepare(m, experiment, start ? &start->state : nullptr);
  if (start) warn_of_start(*start, experiment.tolerance, p);
  if (is_cut_short)
    p.warnings.push_back({"not_evaluated", simulation::line_of(experiment, "evaluations"),
                          "The run ends before its experiment does (--until): it is not evaluated.",
                          "`skyhook evaluate` takes the result all the same."});
  if (p.ok() && experiment.solver != "auto")
    (void)simulation::choose_solver(p, experiment);  // may refuse: then no warnings
  const std::vector<Warning> early = simulation::warnings_before(p);
  print_warnings(early);
  const std::string out = result_file(options), report = report_file(options, out);
  if (!p.ok()) return report_not_started(options, p, begun);
  record_what_is_evaluated(p, experiment);
  if (options.report) record_wheels_on_rails(p, experiment);

  keep_inputs({out, NewFile::readable_part(out).string(), report}, inputs_of(options, *m));

  // Code of others may end the program at any time: what there is by then can be read.
  const bool may_crash = !element::plugin::plugins_of(*m).empty();
  io::ResultWriter writer(out, {.buffered_samples = may_crash ? 256u : 4096u, .share_at_once = may_crash});
  const KeptOnExit kept([&] { writer.abandon(simulation::RunStatus::failed, "A plug-in ended the program."); });
  simulation::MemorySink memory;
  simulation::EventLog log;
  simulation::TwoSinks told(writer, log), both(told, memory);
  simulation::Sink& sink = options.verify ? both : told;
  Progress progress(std::cerr, Progress::style_of_stderr(options.quiet || options.json), experiment.from_time,
                    experiment.until);
  stop_on_signals();
  simulation::RunOptions o{[&](double t) { progress.update(t); }, stop_requested, reread};
  o.begun = begun, o.all_reactions = options.reactions || options.report;
  if (start) o.from = start->run_state ? &*start->run_state : nullptr, o.same_model = start->same_model;
  const simulation::RunSummary s = simulation::simulate(p, experiment, sink, o);
  progress.finish(s.t_reached);

  const Verified verified =
      options.verify && s.status == simulation::RunStatus::finished ? verify(p, experiment, memory, o) : Verified{};
  const bool is_evaluated = s.status == simulation::RunStatus::finished && !is_cut_short;
  const Evaluated evaluated = is_evaluated ? evaluate_run(experiment, out) : Evaluated{};
  const std::string reported = report.empty() ? "" : write_report({.files = {out}, .compare = {}, .out = report});
  if (options.json)
    print_json(p, s, out, report, verified.json + evaluated.json, io::event_table(log.events).to_json());
  else if (!options.quiet)
    print_text(p, s, verified, events_text(std::move(log.events), out));
  else
    fmt::print("{}", verified.text);  // it was asked for
  if (!options.json && !options.quiet) fmt::print("{}", evaluated.text);
  print_warnings(std::span(s.warnings).subspan(early.size()));
  if (s.status == simulation::RunStatus::failed)
    fmt::print(stderr, "{}: the run failed. {}\n", options.model, s.reason);
  if (!options.json)
    fmt::print("{}: result in {}\n{}", to_text(s.status), out, reported.empty() ? "" : reported + "\n");
  return s.status == simulation::RunStatus::failed                                ? numerical_failure
         : s.status == simulation::RunStatus::interrupted || verified.interrupted ? interrupted
         : evaluated.failed                                                       ? bad_input
                                                                                  : success;
}

}  // namespace skyhook::app
