#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <stdexcept>

#include "interrupt.h"
#include "model_commands.h"
#include "refuse.h"
#include "show_response.h"
#include "skyhook/analysis/frequency_response.h"
#include "skyhook/analysis/start.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/table.h"
#include "skyhook/io/result/reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

struct NumericalFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A run as equally spaced samples.
struct Record {
  std::string title;  // model and experiment
  double step = 0;
  std::vector<simulation::ChannelInfo> channels;
  std::vector<std::vector<double>> values;  // by channel
  std::vector<Warning> warnings;
  std::vector<std::string> ignored;  // kinds
  simulation::RunInfo info;
  std::shared_ptr<const analysis::Stand> stand;  // where it begins
};

bool is_result(const ResponseCommand& o) { return o.model.ends_with(".h5"); }

// A result is as it was run.
void refuse_options_of_runs(const ResponseCommand& o) {
  std::string given;
  const auto add = [&](const char* option, bool is_there) {
    if (is_there) given += (given.empty() ? "" : ", ") + std::string(option);
  };
  add("--set", !o.set.empty()), add("--path", !o.path.empty()), add("--tolerance", o.tolerance.has_value());
  add("--solver", o.solver.has_value()), add("--until", o.until.has_value());
  add("--output-step", o.output_step.has_value()), add("an experiment", !o.experiment.empty());
  if (given.empty()) return;
  refuse(fmt::format("{} is a result: {} would change nothing of it.", o.model, given),
         "Give the model file instead, or leave it out.");
}

void refuse_bad_response(const ResponseCommand& o) {
  refuse_bad_values(o);
  if (is_result(o)) refuse_options_of_runs(o);
  if (o.input.empty()) refuse("it is not said what the input is.", "Give --input CHANNEL.");
  if (o.low < 0 || o.high < 0 || (o.high > 0 && o.low >= o.high))
    refuse(fmt::format("the frequencies {} Hz to {} Hz are no range.", o.low, o.high),
           "For example --low 0.5 --high 25, in Hz.");
  if (o.per_octave < 1 || o.per_octave > 200)
    refuse(fmt::format("--per-octave is {}, but must be 1 to 200.", o.per_octave), "Usual are 12 to 48.");
  if (o.csv) check_writable(*o.csv);
}

// Channels by their names in the run, or outputs of all of them.
std::vector<simulation::ChannelInfo> wanted_of(const ResponseCommand& o,
                                               const std::vector<simulation::ChannelInfo>& all) {
  constexpr std::size_t most = 4;  // curves that a picture has by itself
  std::vector<std::string> names{o.input};
  for (const std::string& name : o.outputs) names.push_back(name);
  if (o.outputs.empty()) {
    for (const auto& channel : all) {
      if (channel.name != o.input && names.size() <= most) names.push_back(channel.name);
    }
  }
  if (names.size() == 1) refuse("there is no channel beside the input.", "Name one with --output, or record more.");
  std::vector<std::string> known;
  for (const auto& channel : all) known.push_back(channel.name);
  std::vector<simulation::ChannelInfo> out;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      refuse(fmt::format("{}: there is no channel \"{}\".", &name == &names.front() ? "--input" : "--output", name),
             suggest(name, known, "Channels"));
    out.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return out;
}

// The last one may be nearer: runs end where they shall.
double common_step(std::vector<double>& time, const std::string& file) {
  if (time.size() < 3) throw ModelError({file}, "it has too few samples.", "Run it with a smaller output step.");
  const double step = time[1] - time[0];
  if (std::abs(time.back() - time[time.size() - 2] - step) > 1e-6 * step) time.pop_back();
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (std::abs(time[i] - time[i - 1] - step) > 1e-6 * step)
      throw ModelError({file}, fmt::format("its samples are not equally spaced at t = {:g} s.", time[i]),
                       "Run the experiment again with one output step.");
  }
  return step;
}

Record read_record(const ResponseCommand& o) {
  const io::ResultFile file = io::ResultFile::open(o.model);
  Record out{fmt::format("{}, {}", file.info().model_name, file.info().experiment)};
  out.channels = wanted_of(o, file.channels());
  const std::vector<int> sides = file.sides();
  std::vector<double> time;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] == 0) time.push_back(file.time()[i]);
  }
  out.step = common_step(time, o.model);
  out.warnings = file.summary().warnings, out.ignored = o.ignore, out.info = file.info();
  analysis::Stand first;
  const io::Block poses = file.poses();
  first.poses.assign(poses.row(0).begin(), poses.row(0).end());
  out.stand = std::make_shared<const analysis::Stand>(std::move(first));
  for (const auto& channel : out.channels) {
    const auto series = file.series(channel.name);
    std::vector<double>& to = out.values.emplace_back();
    for (const double t : time) to.push_back(series.at(t));
  }
  return out;
}

// Outputs by the names that the file gives them; other names are channels.
std::vector<model::Output> outputs_of(const ResponseCommand& o, const model::Model& m, const model::Experiment& e) {
  std::vector<model::Output> out = e.outputs.empty() ? m.outputs : e.outputs;
  std::vector<std::string> names = o.outputs;
  names.push_back(o.input);
  for (const std::string& name : names) {
    const auto is_it = [&](const model::Output& known) { return known.name == name; };
    if (std::none_of(out.begin(), out.end(), is_it)) out.push_back({name, name, {"command line"}});
  }
  return out;
}

void refuse_unknown(const ResponseCommand& o, const std::vector<model::Output>& outputs,
                    const simulation::Equations& eq) {
  std::vector<std::string> known;
  for (const model::Output& output : outputs) {
    if (output.where.file != "command line") known.push_back(output.name);
  }
  for (const simulation::Channel& c : simulation::all_channels(eq)) known.push_back(c.name);
  const auto require = [&](const char* option, const std::string& name) {
    if (std::ranges::find(known, name) == known.end())
      refuse(fmt::format("{}: there is no channel \"{}\".", option, name), suggest(name, known, "Channels"));
  };
  require("--input", o.input);
  for (const std::string& name : o.outputs) require("--output", name);
}

// Throws where there is no run to the end.
Record simulate_record(const ResponseCommand& o) {
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(o, "simulate", experiment));
  override_experiment(o, experiment);
  experiment.outputs = outputs_of(o, *m, experiment);
  const simulation::Prepared p = analysis::prepare(m, experiment);
  if (!p.ok()) print_warnings(simulation::warnings_before(p)), throw NumericalFailure(p.problem());
  refuse_unknown(o, experiment.outputs, *p.active);
  simulation::MemorySink sink;
  Progress progress(std::cerr, Progress::style_of_stderr(o.quiet || o.json), experiment.from_time, experiment.until);
  stop_on_signals();
  const simulation::RunSummary s = simulation::simulate(
      p, experiment, sink, {[&](double t) { progress.update(t); }, stop_requested, rereader(o, experiment.name)});
  progress.finish(s.t_reached);
  if (s.status != simulation::RunStatus::finished) {
    print_warnings(s.warnings);
    throw NumericalFailure(s.reason.empty() ? to_text(s.status) : s.reason);
  }
  Record out{fmt::format("{}, {}", m->name, experiment.name)};
  out.channels = wanted_of(o, sink.info.channels);
  out.step = common_step(sink.time, o.model);
  out.warnings = s.warnings, out.ignored = m->ignored_warnings;
  out.info = analysis::info_of(p, experiment);
  out.stand = std::make_shared<const analysis::Stand>(analysis::stand_moving(p.active, p.all, p.state));
  for (const auto& channel : out.channels) {
    const auto k = static_cast<std::size_t>(sink.find(channel.name));
    std::vector<double>& to = out.values.emplace_back();
    for (std::size_t i = 0; i < sink.time.size(); ++i) to.push_back(sink.channels[i][k]);
  }
  return out;
}

Table table_of(const std::vector<ResponseCurve>& curves) {
  Table table;
  table.add_column("frequency", "Hz", 4);
  std::vector<std::vector<double>> phases;
  for (const auto& c : curves) {
    table.add_column(c.name, c.unit, 4), table.add_column("phase", "deg", 4), table.add_column("coherence", "", 4);
    phases.push_back(analysis::phases(c.bands));
  }
  for (std::size_t i = 0; i < curves[0].bands.size(); ++i) {
    std::vector<Cell> row{curves[0].bands[i].frequency};
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const auto& band = curves[k].bands[i];
      row.insert(row.end(), {std::abs(band.response), phases[k][i] * 180 / std::numbers::pi, band.coherence});
    }
    table.add_row(row);
  }
  return table;
}

std::string to_json(const Record& record, const std::vector<ResponseCurve>& curves) {
  std::string out = fmt::format("{{\"run\": {}, \"input\": {}, \"outputs\": [", json_string(record.title),
                                json_string(record.channels[0].name));
  for (std::size_t k = 0; k < curves.size(); ++k) {
    Table table;
    for (const char* name : {"frequency", "gain", "phase", "coherence"}) table.add_column(name);
    const std::vector<double> phases = analysis::phases(curves[k].bands);
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const auto& band = curves[k].bands[i];
      table.add_row({band.frequency, std::abs(band.response), phases[i], band.coherence});
    }
    out += fmt::format("{}{{\"name\": {}, \"unit\": {}, \"bands\":\n{}}}", k ? ", " : "", json_string(curves[k].name),
                       json_string(curves[k].unit), table.to_json());
  }
  return out + "], \"warnings\": " + skyhook::to_json(record.warnings) + "}";
}

void warn_of_ends(const analysis::FrequencyResponse& response, Record& record) {
  for (std::size_t k = 0; k < response.ends_at_rest.size(); ++k) {
    if (!response.ends_at_rest[k])
      record.warnings.push_back({"ends_in_motion",
                                 {},
                                 record.channels[k + 1].name +
                                     " does not end at rest where it began: what is missing of its motion distorts the "
                                     "response."});
  }
  record.warnings = without(std::move(record.warnings), record.ignored);
}

}  // namespace

int response(const ResponseCommand& o) {
  refuse_bad_response(o);
  const AnalysisFiles files = analysis_files(o, {o.model});
  Record record;
  try {
    record = is_result(o) ? read_record(o) : simulate_record(o);
  } catch (const NumericalFailure& e) {
    fmt::print(stderr, "{}: there is no response. {}\n", o.model, e.what());
    return unless_stopped(numerical_failure);
  }
  const std::vector<std::vector<double>> outputs(record.values.begin() + 1, record.values.end());
  const analysis::FrequencyResponse found = analysis::frequency_response(
      record.step, record.values[0], outputs, {.low = o.low, .high = o.high, .per_octave = o.per_octave});
  if (!found.problem.empty()) throw ModelError({o.model}, found.problem, "Record more, or choose another input.");
  std::vector<ResponseCurve> curves;
  for (std::size_t k = 0; k < found.outputs.size(); ++k) {
    const auto& channel = record.channels[k + 1];
    curves.push_back({channel.name, ratio_unit(channel.unit, record.channels[0].unit), found.outputs[k]});
  }
  warn_of_ends(found, record);
  print_warnings(record.warnings);
  analysis::Findings findings = response_findings(curves, true, record.stand);
  findings.json = to_json(record, curves), findings.warnings = record.warnings;
  const std::string title = fmt::format("{}: response to {}", record.title, record.channels[0].name);
  show_response(o, title, table_of(curves), findings);
  write_analysis(files, o, findings, record.info);
  return success;
}

}  // namespace skyhook::app
