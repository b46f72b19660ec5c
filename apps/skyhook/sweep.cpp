#include "skyhook/analysis/sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>
#include <mutex>

#include "commands.h"
#include "interrupt.h"
#include "model_commands.h"
#include "run_evaluations.h"
#include "skyhook/analysis/findings.h"
#include "skyhook/analysis/measure.h"
#include "skyhook/analysis/signal_formula.h"
#include "skyhook/analysis/start.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/table.h"
#include "skyhook/base/units.h"
#include "skyhook/base/utf8.h"
#include "skyhook/base/wildcard.h"
#include "skyhook/io/report/report.h"
#include "skyhook/io/result/writer.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "sweep_measures.h"
#include "terminal.h"
#include "warnings_of_runs.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t channels_by_default = 6;

// HDF5 is not thread-safe: one writer of the process works at a time.
class LockedWriter : public simulation::Sink {
 public:
  explicit LockedWriter(const fs::path& path) {
    locked([&] { writer_.emplace(path, io::WriterOptions{.keep_interrupted = false}); });
  }
  ~LockedWriter() override {
    locked([&] { writer_.reset(); });
  }
  LockedWriter(const LockedWriter&) = delete;
  LockedWriter& operator=(const LockedWriter&) = delete;
  void begin(const simulation::RunInfo& i) override {
    locked([&] { writer_->begin(i); });
  }
  void sample(const simulation::Sample& s) override {
    locked([&] { writer_->sample(s); });
  }
  void step(const simulation::StepRecord& s) override {
    locked([&] { writer_->step(s); });
  }
  void event(const simulation::EventRecord& e) override {
    locked([&] { writer_->event(e); });
  }
  void end(const simulation::RunSummary& s) override {
    locked([&] { writer_->end(s); });
  }

 private:
  template <class Work>
  static void locked(Work&& work) {
    const std::lock_guard lock(hdf5);
    work();
  }
  static inline std::mutex hdf5;  // not in locked(), which is as many functions as there are kinds of work
  std::optional<io::ResultWriter> writer_;
};

// All that the points share.
struct Plan {
  SweepCommand options;
  analysis::Grid grid;
  std::vector<analysis::Measure> measures;
  mutable std::vector<std::string> units;         // of the measures; of evaluations by the first point that has them
  std::vector<std::string> recorded, additional;  // channels of the experiment; those only measures ask for
  std::vector<std::string> evaluations = {};      // by their names
  std::shared_ptr<const model::Model> prepared = {};  // keeps the libraries of plug-ins as they were loaded at first
  simulation::RunInfo info = {};                      // for its own result
};

std::vector<std::string> names_of(const std::vector<simulation::Channel>& channels) {
  std::vector<std::string> out;
  for (const auto& c : channels) out.push_back(c.name);
  return out;
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Numbers without a unit are in the parameter's SI unit; a unit must be of the parameter's kind.
void fit_unit(const model::Parameter& p, const std::string& text, analysis::SweepAxis& axis) {
  const Dimension wanted = parse_unit(p.unit).dimension;
  if (axis.unit.empty()) {
    axis.unit = wanted.is_dimensionless() ? "" : p.unit;
  } else if (parse_unit(axis.unit).dimension != wanted) {
    throw ModelError({"command line"}, "--sweep " + text + ": " + axis.unit + " does not fit the parameter.",
                     "\"" + p.name + "\" is a quantity in " + to_string(wanted) + ".");
  }
}

// --set would be replaced by the sweep.
void refuse_set_twice(const SweepCommand& options, const std::string& name) {
  for (const std::string& text : options.set) {
    if (text.substr(0, text.find('=')) == name)
      throw ModelError({"command line"}, "--set and --sweep both change \"" + name + "\".", "Leave out one of them.");
  }
}

analysis::Grid grid_of(const SweepCommand& options, const model::Model& m) {
  std::vector<std::string> names;
  for (const auto& p : m.parameters) names.push_back(p.name);
  std::vector<analysis::SweepAxis> axes;
  for (const std::string& text : options.sweep) {
    analysis::SweepAxis axis = analysis::parse_sweep(text);
    refuse_set_twice(options, axis.name);
    const auto found = std::find(names.begin(), names.end(), axis.name);
    if (found == names.end())
      throw ModelError({"command line"}, "--sweep " + text + ": the model has no parameter \"" + axis.name + "\".",
                       suggest(axis.name, names, "Parameters"));
    fit_unit(m.parameters[static_cast<std::size_t>(found - names.begin())], text, axis);
    axes.push_back(std::move(axis));
  }
  return analysis::Grid(std::move(axes));
}

// The measures that one --measure means: its channel may be a pattern over those that are recorded.
void add_measures(const std::string& text, const std::vector<std::string>& all, Plan& plan) {
  const analysis::Measure wanted = analysis::parse_measure(text);
  if (wanted.kind == analysis::Measure::Kind::evaluation && contains(all, text))
    throw ModelError({"command line"},
                     "--measure " + text + ": it is a channel, whose values over time are no single number.",
                     "Write a function of it: --measure \"max(" + text + ")\", final, mean, rms, ...");
  if (wanted.kind == analysis::Measure::Kind::evaluation) {
    const std::string name = text.substr(0, text.find('.'));
    if (!contains(plan.evaluations, name))
      throw ModelError({"command line"},
                       "--measure " + text + ": the experiment evaluates nothing of the name \"" + name + "\".",
                       plan.evaluations.empty()
                           ? "Add evaluations: [{standard: " + name + ", ...}] to it, or write FUNCTION(CHANNEL)."
                           : suggest(name, plan.evaluations, "Evaluations"));
  }
  if (wanted.kind != analysis::Measure::Kind::channel) {
    plan.measures.push_back(wanted);
    for (const std::string& word : analysis::words_of(text)) {
      if (contains(all, word) && !contains(plan.recorded, word) && !contains(plan.additional, word))
        plan.additional.push_back(word);
    }
    return;
  }
  const std::size_t before = plan.measures.size();
  for (const std::string& name : plan.recorded) {
    if (matches(wanted.channel, name)) plan.measures.push_back({wanted.function, name});
  }
  if (plan.measures.size() > before) return;
  for (const std::string& name : all) {
    if (!matches(wanted.channel, name)) continue;
    plan.measures.push_back({wanted.function, name});
    if (!contains(plan.additional, name)) plan.additional.push_back(name);
  }
  if (plan.measures.size() == before)
    throw ModelError({"command line"}, "--measure " + text + ": there is no channel \"" + wanted.channel + "\".",
                     suggest(wanted.channel, plan.recorded, "Channels recorded"));
}

void hint_at_channels(const Plan& plan) {
  std::string list;
  for (std::size_t k = 0; k < plan.recorded.size() && k < 20; ++k) list += (k > 0 ? ", " : "") + plan.recorded[k];
  fmt::print(stderr, "Choose columns with --measure \"max({})\". Channels here: {}{}\n", plan.recorded.front(), list,
             plan.recorded.size() > 20 ? ", ..." : ".");
}

void choose_measures(const std::vector<simulation::Channel>& all, const std::vector<simulation::Channel>& recorded,
                     Plan& plan) {
  plan.recorded = names_of(recorded);
  for (const std::string& text : plan.options.measure) add_measures(text, names_of(all), plan);
  if (plan.options.measure.empty() && plan.recorded.size() <= channels_by_default) {
    for (const std::string& name : plan.recorded) {
      for (const char* function : {"min", "max", "final"}) plan.measures.push_back({function, name});
    }
  } else if (plan.options.measure.empty() && !plan.options.quiet) {
    hint_at_channels(plan);
  }
  std::vector<simulation::Channel> known = all;
  known.insert(known.end(), recorded.begin(), recorded.end());  // under the names of outputs
  for (const auto& m : plan.measures) {
    if (m.kind != analysis::Measure::Kind::channel) {
      plan.units.push_back(m.kind == analysis::Measure::Kind::formula ? unit_of_formula(m.formula, known) : "");
      continue;
    }
    std::string unit;
    for (const auto* list : {&all, &recorded}) {
      for (const auto& c : *list) unit = c.name == m.channel ? c.unit : unit;
    }
    plan.units.push_back(m.unit(unit));
  }
}

// Names are checked before any point is run, in the model without the sweep. That may be a wrong one, if all its points
// are right: then the first of them.
model::Model load_to_plan(const SweepCommand& options, model::Experiment& experiment) {
  try {
    return load(options, "simulate", experiment);
  } catch (const ModelError&) {
    ModelOptions first = options;
    for (const std::string& text : options.sweep) {
      const analysis::SweepAxis axis = analysis::parse_sweep(text);
      first.set.push_back(axis.name + "=" + axis.text(0));
    }
    try {
      return load(first, "simulate", experiment);
    } catch (const ModelError&) {}
    throw;
  }
}

std::string file_of(const Plan& plan, std::size_t point) {
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(plan.grid.size()).size());
  return (fs::path(*plan.options.out) / fmt::format("run_{:0{}}.h5", point + 1, digits)).string();
}

// The table from the results of the points, and all of them from the model's files.
void keep_outputs_apart(const Plan& plan, const std::vector<std::string>& inputs) {
  keep_inputs({plan.options.csv}, inputs);
  for (std::size_t point = 0; plan.options.out && point < plan.grid.size(); ++point)
    keep_inputs({plan.options.csv, file_of(plan, point)}, inputs);
}

Plan make_plan(const SweepCommand& options) {
  if (options.verify || options.from)
    throw ModelError({"command line"}, "--sweep does not go with --verify or --from.", "Run single points for that.");
  refuse_bad_values(options);
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load_to_plan(options, experiment));
  Plan plan{options, grid_of(options, *m)};
  keep_outputs_apart(plan, m->files);
  override_experiment(options, experiment);
  plan.options.experiment = experiment.name;
  const simulation::Prepared p = analysis::prepare(m, experiment);
  plan.prepared = p.model;
  plan.info = analysis::info_of(p, experiment);
  const auto all = p.channels();
  for (const auto& request : evaluations_of(experiment)) plan.evaluations.push_back(request.name);
  const auto& outputs = experiment.outputs.empty() ? m->outputs : experiment.outputs;
  choose_measures(*all, simulation::choose_channels(*all, outputs), plan);
  if (options.out) {
    std::error_code failed;
    fs::create_directories(*options.out, failed);
    if (failed) throw ModelError({*options.out}, "the folder cannot be made: " + failed.message() + ".");
  }
  return plan;
}

void add_outputs(const Plan& plan, const model::Model& m, model::Experiment& e) {
  if (plan.additional.empty()) return;
  if (e.outputs.empty()) e.outputs = m.outputs;
  if (e.outputs.empty()) {
    for (const auto& name : plan.recorded) e.outputs.push_back({name, name, {}});
  }
  for (const auto& name : plan.additional) e.outputs.push_back({name, name, {}});
}

simulation::RunSummary simulate_point(const Plan& plan, std::size_t point, const simulation::Prepared& p,
                                      const model::Experiment& e, const Reread& reread, Recorded& recorded) {
  simulation::RunOptions o{{}, stop_requested, reread};
  o.all_reactions = plan.options.reactions;
  if (!plan.options.out) return simulation::simulate(p, e, recorded, o);
  LockedWriter file(file_of(plan, point));
  simulation::TwoSinks both(file, recorded);
  return simulation::simulate(p, e, both, o);
}

// One of an earlier sweep, for a point that has failed now: no file is left that no row names.
void remove_file(const Plan& plan, std::size_t point) {
  std::error_code ignored;
  if (plan.options.out) fs::remove(file_of(plan, point), ignored);
}

analysis::PointResult run_point(const Plan& plan, std::size_t point) {
  ModelOptions options = plan.options;
  for (const auto& [name, value] : plan.grid.settings(point)) options.set.push_back(name + "=" + value);
  model::Experiment experiment;
  std::shared_ptr<model::Model> m;
  simulation::Prepared p;
  try {
    m = std::make_shared<model::Model>(load(options, "simulate", experiment));
    override_experiment(plan.options, experiment);
    add_outputs(plan, *m, experiment);
    p = analysis::prepare(m, experiment);
  } catch (const ModelError&) {
    remove_file(plan, point);
    throw;
  }
  if (p.ok()) record_what_is_evaluated(p, experiment);
  if (!p.ok()) {
    remove_file(plan, point);
    return {simulation::RunStatus::failed, p.problem(), {}, 0, 0, simulation::warnings_before(p)};
  }
  Recorded recorded;
  const simulation::RunSummary s =
      simulate_point(plan, point, p, experiment, rereader(options, experiment.name), recorded);
  analysis::PointResult out{s.status, s.reason, {}, s.cost.steps, s.seconds, s.warnings};
  if (s.status != simulation::RunStatus::finished) return out;
  out.measures = measured(plan.measures, evaluations_of(experiment), recorded, plan.units);
  return out;
}

// One line on a terminal, nothing elsewhere.
class PointProgress {
 public:
  PointProgress(std::size_t total, bool quiet) : total_(total), shown_(!quiet && isatty(STDERR_FILENO) != 0) {}
  void update(std::size_t done) {
    const double elapsed = clock_() - begun_;
    if (!shown_ || (done < total_ && elapsed - last_ < 0.2)) return;
    last_ = elapsed;
    const double left = elapsed / static_cast<double>(done) * static_cast<double>(total_ - done);
    print_control(stderr, fmt::format("\r\x1b[K{} of {} points, {} left", done, total_, format_duration(left)));
  }
  void finish() const {
    if (shown_) print_control(stderr, "\r\x1b[K");
  }

 private:
  std::size_t total_;
  bool shown_;
  Progress::Clock clock_ = Progress::wall_clock();
  double begun_ = clock_(), last_ = -1;
};

using Results = std::vector<std::optional<analysis::PointResult>>;

// The first line, shortened to what a table can bear; programs get the whole.
std::string brief_reason(const std::string& reason) {
  constexpr std::size_t most = 100;
  return shortened(reason.substr(0, reason.find('\n')), most);
}

bool has_failed(const std::optional<analysis::PointResult>& r) {
  return r && r->status == simulation::RunStatus::failed;
}

// Programs that read the table want the column in any case, all of it, and the warnings of each point.
enum class Reasons { none, brief, whole };

std::vector<Cell> row_of(const Plan& plan, std::size_t point, const analysis::PointResult& r, Reasons reasons) {
  std::vector<Cell> row;
  const auto which = plan.grid.at(point);
  for (std::size_t k = 0; k < which.size(); ++k) row.emplace_back(plan.grid.axes()[k].values[which[k]]);
  row.emplace_back(simulation::to_text(r.status));
  for (std::size_t k = 0; k < plan.measures.size(); ++k)
    row.emplace_back(r.measures.empty() ? std::numeric_limits<double>::quiet_NaN() : r.measures[k]);
  row.emplace_back(r.steps);
  row.emplace_back(r.seconds);
  const bool has_run = r.seconds > 0;  // else a file of that name is an older one
  if (plan.options.out) row.emplace_back(has_run && fs::exists(file_of(plan, point)) ? file_of(plan, point) : "");
  if (reasons == Reasons::whole) row.push_back(cell_of(r.warnings));
  if (reasons != Reasons::none) row.emplace_back(reasons == Reasons::whole ? r.reason : brief_reason(r.reason));
  return row;
}

Table table_of(const Plan& plan, const Results& results, Reasons reasons) {
  Table table;
  for (const auto& axis : plan.grid.axes()) table.add_column(axis.name, axis.unit);
  table.add_column("status");
  for (std::size_t k = 0; k < plan.measures.size(); ++k) table.add_column(plan.measures[k].text(), plan.units[k]);
  table.add_column("steps");
  table.add_column("seconds", "", 3);
  if (plan.options.out) table.add_column("result");
  if (reasons == Reasons::whole) table.add_column("warnings");
  if (reasons != Reasons::none) table.add_column("reason");
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k]) table.add_row(row_of(plan, k, *results[k], reasons));
  }
  return table;
}

// Those that an interrupt has left out, by their parameters.
Table missing_points(const Plan& plan, const Results& results) {
  Table table;
  for (const auto& axis : plan.grid.axes()) table.add_column(axis.name, axis.unit);
  for (std::size_t point = 0; point < results.size(); ++point) {
    if (results[point]) continue;
    const auto which = plan.grid.at(point);
    std::vector<Cell> row;
    for (std::size_t k = 0; k < which.size(); ++k) row.emplace_back(plan.grid.axes()[k].values[which[k]]);
    table.add_row(std::move(row));
  }
  return table;
}

std::string json_of(const Plan& plan, const Results& results) {
  Table units;  // its single row: column, unit
  std::vector<Cell> row;
  const auto add = [&](const std::string& name, const std::string& unit) {
    units.add_column(name), row.emplace_back(unit);
  };
  for (const auto& axis : plan.grid.axes()) add(axis.name, axis.unit);
  for (std::size_t k = 0; k < plan.measures.size(); ++k) add(plan.measures[k].text(), plan.units[k]);
  units.add_row(row);
  const Table missing = missing_points(plan, results);
  return fmt::format("{{\"units\": {},\n\"points\":\n{},\n\"interrupted\": {}, \"missing\":\n{}}}\n",
                     units.row_to_json(0), table_of(plan, results, Reasons::whole).to_json(), missing.rows() > 0,
                     missing.to_json());
}

void print_results(const Plan& plan, const Results& results) {
  const SweepCommand& o = plan.options;
  const bool any_failed = std::any_of(results.begin(), results.end(), has_failed);
  if (o.json)
    fmt::print("{}", json_of(plan, results));
  else if (o.csv != "-" && !(o.quiet && !o.csv.empty()))
    fmt::print("{}", table_of(plan, results, any_failed ? Reasons::brief : Reasons::none).to_text());
  // Last: it may fail, and the table is expensive to make again.
  if (!o.csv.empty()) write_text(o.csv, table_of(plan, results, Reasons::whole).to_csv());
}

// The result of the sweep as a whole, for its report: points over their number, measures as channels.
struct SweepFiles {
  std::string result, report;  // empty: not asked for
};

SweepFiles files_of(const Plan& plan) {
  if (!plan.options.report) return {};
  io::require_viewer();
  require_file_name("--report", *plan.options.report);
  const std::string name = fs::path(plan.options.model).stem().string() + "_sweep.h5";
  SweepFiles files{(plan.options.out ? fs::path(*plan.options.out) / name : fs::path(name)).string(), ""};
  files.report = plan.options.report->empty() ? report_name(files.result) : *plan.options.report;
  io::check_report_place(files.report);
  keep_inputs({plan.options.csv, files.result, files.report}, plan.prepared->files);
  return files;
}

void write_sweep(const Plan& plan, const Results& results, const SweepFiles& files) {
  if (files.report.empty()) return;
  analysis::Findings found;
  found.analysis = "sweep", found.method = plan.options.experiment, found.abscissa = {"point", "-"};
  for (std::size_t k = 0; k < plan.measures.size(); ++k)
    found.channels.push_back({plan.measures[k].text(), plan.units[k]});
  for (std::size_t point = 0; point < results.size(); ++point) {
    std::vector<double> values(plan.measures.size(), std::numeric_limits<double>::quiet_NaN());
    if (results[point] && !results[point]->measures.empty()) values = results[point]->measures;
    found.points.push_back({static_cast<double>(point + 1), std::move(values), {}, nullptr});
  }
  found.json = json_of(plan, results);
  {
    io::ResultWriter writer(files.result);
    analysis::record(found, plan.info, writer);
  }
  const std::string told = write_report({.files = {files.result}, .compare = {}, .out = files.report});
  if (!plan.options.json && plan.options.csv != "-") fmt::print("sweep in {}, {}\n", files.result, told);
}

std::vector<RunWarnings> warnings_of(const Plan& plan, const Results& results) {
  std::vector<RunWarnings> all;
  for (std::size_t point = 0; point < results.size(); ++point) {
    std::string name;
    for (const auto& [axis, value] : plan.grid.settings(point)) name += (name.empty() ? "" : ", ") + axis + "=" + value;
    if (results[point]) all.push_back({name, results[point]->warnings});
  }
  return all;
}

}  // namespace

int sweep(const SweepCommand& options) {
  if (options.json && options.csv == "-")
    throw ModelError({"command line"}, "--json and --csv - both print to standard output.", "Give --csv a file.");
  const Plan plan = make_plan(options);
  check_writable(options.csv);
  const SweepFiles files = files_of(plan);
  stop_on_signals();
  PointProgress progress(plan.grid.size(), options.quiet || options.json);
  const Results results =
      analysis::run_points(plan.grid.size(), [&](std::size_t point) { return run_point(plan, point); },
                           {options.jobs, [&](std::size_t done) { progress.update(done); }, stop_requested});
  progress.finish();
  print_results(plan, results);
  write_sweep(plan, results, files);
  print_warnings_of_runs(warnings_of(plan, results), "points");
  const auto failed = std::count_if(results.begin(), results.end(), has_failed);
  const auto absent = std::count_if(results.begin(), results.end(), [](const auto& r) { return !r; });
  if (failed > 0) fmt::print(stderr, "{} of {} points failed.\n", failed, results.size());
  if (absent > 0) fmt::print(stderr, "Interrupted: {} of {} points are missing.\n", absent, results.size());
  return absent > 0 ? interrupted : failed > 0 ? numerical_failure : success;
}

}  // namespace skyhook::app
