#include <fmt/format.h>

#include <algorithm>

#include "analysis_files.h"
#include "experiment_options.h"
#include "interrupt.h"
#include "linear_commands.h"
#include "linear_point.h"
#include "refuse.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/base/wildcard.h"
#include "skyhook/io/linear/linear_file.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

// By name or pattern, in the order of the system; none: all.
std::vector<int> chosen_inputs(const std::vector<std::string>& patterns, const analysis::Linearisation& linear) {
  std::vector<std::string> names;
  for (const auto& input : linear.inputs) names.push_back(input.what.name);
  std::vector<int> out;
  for (const std::string& pattern : patterns) {
    const auto fits = [&](const std::string& name) { return matches(pattern, name); };
    if (std::ranges::none_of(names, fits))
      refuse("--input: there is no input \"" + pattern + "\".",
             names.empty()
                 ? "The model has no drives, no signals that forces listen to and no roads. Forces from outside are "
                   "BODY.force_x or MARKER.torque_z."
                 : suggest(pattern, names, "Inputs"));
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto wants = [&](const std::string& pattern) { return matches(pattern, names[k]); };
    if (patterns.empty() || std::ranges::any_of(patterns, wants)) out.push_back(static_cast<int>(k));
  }
  return out;
}

std::vector<model::Output> chosen_outputs(const LinearizeCommand& o, const LinearPoint& point) {
  const model::Model& m = *point.prepared.model;
  if (o.outputs.empty()) return point.experiment.outputs.empty() ? m.outputs : point.experiment.outputs;
  std::vector<model::Output> out;
  for (const std::string& name : o.outputs) {
    const auto known = std::ranges::find(m.outputs, name, &model::Output::name);
    out.push_back(known != m.outputs.end() ? *known : model::Output{name, name, {"command line"}});
  }
  return out;
}

// Matrices of this size fit a screen.
constexpr int most_columns = 12;

std::string text_of(const char* name, const DenseMatrix& a, const std::vector<std::string>& rows) {
  if (a.rows == 0 || a.cols == 0) return "";
  if (a.cols > most_columns) return fmt::format("{}: {} by {}\n", name, a.rows, a.cols);
  Table table;
  table.add_column(name);
  for (int j = 0; j < a.cols; ++j) table.add_column(fmt::format("{}", j + 1), "", 5);
  for (int i = 0; i < a.rows; ++i) {
    std::vector<Cell> row{rows[static_cast<std::size_t>(i)]};
    for (int j = 0; j < a.cols; ++j) row.push_back(a(i, j));
    table.add_row(row);
  }
  return table.to_text() + "\n";
}

std::string list_of(const char* what, const std::vector<formalism::NamedQuantity>& list) {
  std::string out = fmt::format("{} ({}):", what, list.size());
  for (std::size_t k = 0; k < list.size(); ++k)
    out += fmt::format("{} {} {}{}", k ? "," : "", k + 1, list[k].name,
                       list[k].unit.empty() ? "" : " [" + list[k].unit + "]");
  return out + "\n";
}

void print(const io::LinearSystem& s) {
  std::vector<formalism::NamedQuantity> inputs;
  for (const auto& input : s.linear.inputs) inputs.push_back(input.what);
  std::vector<std::string> states, outputs, coordinates;
  for (const auto& q : s.linear.states) states.push_back(q.name);
  for (const auto& q : s.outputs.outputs) outputs.push_back(q.name);
  coordinates.assign(states.begin(), states.begin() + s.linear.coordinates);
  std::string text = printable(s.title) + "\n" + list_of("states", s.linear.states) + list_of("inputs", inputs) +
                     list_of("outputs", s.outputs.outputs) + "\n";
  text += text_of("M", s.linear.M, coordinates) + text_of("D of M y'' + D y' + K y", s.linear.D, coordinates) +
          text_of("K", s.linear.K, coordinates);
  text += text_of("A", s.linear.A, states) + text_of("B", s.linear.B, states) + text_of("C", s.outputs.C, outputs) +
          text_of("D", s.outputs.D, outputs);
  fmt::print("{}", text);
}

// One position: the outputs there. The matrices are in the JSON.
analysis::Findings findings_of(const io::LinearSystem& system, const LinearPoint& point) {
  analysis::Findings out{.analysis = "linearize", .method = point.where};
  for (const auto& q : system.outputs.outputs) out.channels.push_back({q.name, q.unit});
  out.points.push_back({point.at.state.t, system.outputs.at_point, {}, stand_of(point)});
  out.warnings = point.warnings, out.json = io::to_json(system);
  return out;
}

}  // namespace

int linearize(const LinearizeCommand& given) {
  LinearizeCommand o = given;
  complete(o);
  LinearPoint point = find_linear_point(o, "linearize");
  const AnalysisFiles files = analysis_files(o, point.prepared.model->files, {".mat", ".csv", ".json"});
  if (!files.own.empty()) check_writable(files.own);
  io::LinearSystem system;
  if (point.problem.empty()) system.linear = linearise(o, true, point, o.inputs);
  if (point.problem.empty()) {
    io::keep_inputs_of(system, chosen_inputs(o.inputs, system.linear));
    system.outputs = analysis::linear_outputs(point.prepared, point.at, system.linear, chosen_outputs(o, point));
    point.problem = system.outputs.problem;
  }
  const model::Model& m = *point.prepared.model;
  point.warnings = without(std::move(point.warnings), m.ignored_warnings);
  print_warnings(point.warnings);
  if (!point.problem.empty()) {
    fmt::print(stderr, "{}: there is no linear system. {}\n", o.model, point.problem);
    return unless_stopped(numerical_failure);
  }
  system.title = fmt::format("{}: linear system at {}", m.name, point.where);
  if (files.own.ends_with(".mat")) io::write_mat(system, files.own);
  if (files.own.ends_with(".csv")) write_text(files.own, io::to_csv(system));
  if (files.own.ends_with(".json")) write_text(files.own, io::to_json(system));
  if (o.json)
    fmt::print("{}", io::to_json(system));
  else if (!o.quiet)
    print(system);
  if (!o.json && !files.own.empty()) fmt::print("{}linear system in {}\n", o.quiet ? "" : "\n", files.own);
  write_analysis(files, o, findings_of(system, point), analysis::info_of(point.prepared, point.experiment));
  return success;
}

}  // namespace skyhook::app
