#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiment_options.h"
#include "interrupt.h"
#include "linear_commands.h"
#include "linear_point.h"
#include "refuse.h"
#include "show_response.h"
#include "skyhook/analysis/transfer.h"
#include "skyhook/base/table.h"
#include "skyhook/expression/expression.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

struct System {
  LinearPoint point;
  analysis::Linearisation linear;
  analysis::LinearOutputs outputs;
};

// An output of the file by its name there, else a channel.
std::string channel_of(const model::Model& m, const std::string& name) {
  const auto known = std::ranges::find(m.outputs, name, &model::Output::name);
  return known == m.outputs.end() ? name : known->channel;
}

int find_input(const analysis::Transfer& transfer, const model::Model& m, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& input : transfer.inputs()) names.push_back(input.name);
  const auto found = std::ranges::find(names, channel_of(m, name));
  if (found == names.end())
    refuse("--input: the linear system has no input \"" + name + "\".",
           names.empty()
               ? "Inputs are drives, signals that forces listen to and roads, of which the model has none, and forces "
                 "BODY.force_x."
               : suggest(name, names, "Inputs"));
  return static_cast<int>(found - names.begin());
}

std::vector<model::Output> outputs_of(const LinearResponseCommand& o, const LinearPoint& point) {
  const model::Model& m = *point.prepared.model;
  std::vector<model::Output> out;
  for (const std::string& name : o.outputs) out.push_back({name, channel_of(m, name), {"command line"}});
  if (!o.outputs.empty()) return out;
  return point.experiment.outputs.empty() ? m.outputs : point.experiment.outputs;
}

struct Range {
  double low, high;
};
// Around the modes that oscillate, unless it is given.
Range range_of(const LinearResponseCommand& o, const analysis::Linearisation& linear) {
  Range out{o.low, o.high};
  double lowest = 1e300, highest = 0;
  for (const Complex& value : eigen_pairs(linear.A).values) {
    if (std::abs(value.imag()) < 1e-6 * std::abs(value) || std::abs(value) < 1e-6) continue;
    const double f = std::abs(value) / (2 * std::numbers::pi);
    lowest = std::min(lowest, f), highest = std::max(highest, f);
  }
  if (out.low == 0) out.low = highest > 0 ? 0.1 * lowest : 0.01;
  if (out.high == 0) out.high = highest > 0 ? 10 * highest : 100;
  if (out.low >= out.high)
    refuse(fmt::format("the frequencies {} Hz to {} Hz are no range.", out.low, out.high),
           "Give --low and --high, in Hz.");
  return out;
}

Vector frequencies_of(const LinearResponseCommand& o, const Range& range) {
  const int count = std::max(2, static_cast<int>(std::ceil(o.per_octave * std::log2(range.high / range.low))));
  Vector out;
  for (int k = 0; k <= count; ++k)
    out.push_back(range.low * std::pow(range.high / range.low, k / static_cast<double>(count)));
  return out;
}

std::vector<ResponseCurve> curves_of(const LinearResponseCommand& o, const System& s,
                                     const analysis::Transfer& transfer, const Vector& frequencies) {
  const int input = find_input(transfer, *s.point.prepared.model, o.input);
  const std::string& unit = transfer.inputs()[static_cast<std::size_t>(input)].unit;
  std::vector<ResponseCurve> out;
  for (const auto& q : s.outputs.outputs) out.push_back({q.name, ratio_unit(q.unit, unit), {}});
  for (const double f : frequencies) {
    const ComplexVector H = transfer.at(input, f);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].bands.push_back({f, 1, H[i], 1});
  }
  return out;
}

Table bands_table(const std::vector<ResponseCurve>& curves) {
  Table table;
  table.add_column("frequency", "Hz", 5);
  std::vector<std::vector<double>> phases;
  for (const auto& c : curves) {
    table.add_column(c.name, c.unit, 5);
    table.add_column(curves.size() > 1 ? c.name + " phase" : "phase", "deg", 4);  // no key twice in JSON
    phases.push_back(analysis::phases(c.bands));
  }
  for (std::size_t i = 0; !curves.empty() && i < curves[0].bands.size(); ++i) {
    std::vector<Cell> row{curves[0].bands[i].frequency};
    for (std::size_t k = 0; k < curves.size(); ++k)
      row.insert(row.end(), {std::abs(curves[k].bands[i].response), phases[k][i] * 180 / std::numbers::pi});
    table.add_row(row);
  }
  return table;
}

// All that are named; delays stand behind.
std::vector<std::string> inputs_of(const LinearResponseCommand& o) {
  std::vector<std::string> out{o.input};
  for (const auto* list : {&o.also, &o.beside}) {
    for (const std::string& text : *list) out.push_back(text.substr(0, text.rfind('=')));
  }
  return out;
}

// "NAME" or "NAME=DELAY".
analysis::RandomInput late_input(const std::string& text, int track, const analysis::Transfer& transfer,
                                 const model::Model& m) {
  const std::size_t at = text.rfind('=');
  analysis::RandomInput out{find_input(transfer, m, text.substr(0, at)), 0, track, 1};
  if (at == std::string::npos) return out;
  char* rest = nullptr;
  out.delay = std::strtod(text.c_str() + at + 1, &rest);
  if (rest == text.c_str() + at + 1 || *rest != '\0')
    refuse(text + " is not of the form NAME=DELAY.", "For example rear.lift.displacement=0.135, in s.");
  return out;
}

analysis::RandomResponse random_of(const LinearResponseCommand& o, const System& s, const analysis::Transfer& transfer,
                                   const Range& range) {
  const model::Model& m = *s.point.prepared.model;
  const auto formula =
      expression::Expression::compile(o.psd, {.variables = {{"f", {}}}, .check_dimensions = false}, {"--psd"});
  analysis::RandomExcitation e;
  e.density = [&](double f) {
    const double density = formula.evaluate(std::span<const double>(&f, 1));
    if (!(density >= 0 && std::isfinite(density)))
      refuse(fmt::format("--psd {} is {} at {} Hz, but a density is finite and not negative.", o.psd, density, f),
             "Give a formula of f, in Hz, that is so from --low to --high: 1e-5/f^2.");
    return density;
  };
  e.inputs.push_back(late_input(o.input, 0, transfer, m));
  for (const std::string& text : o.also) e.inputs.push_back(late_input(text, 0, transfer, m));
  for (const std::string& text : o.beside) e.inputs.push_back(late_input(text, 1, transfer, m));
  e.coherence = o.coherence.value_or(0);
  return analysis::random_response(transfer, e, range.low, range.high);
}

Table random_table(const System& s, const analysis::RandomResponse& r) {
  Table table;
  for (const char* name : {"output", "unit"}) table.add_column(name);
  table.add_column("rms", "", 6), table.add_column("crossings", "1/s", 5);
  table.add_column("exceeded once an hour", "", 5);
  for (std::size_t k = 0; k < r.rms.size(); ++k) {
    const double often = 3600 * r.crossings[k];
    table.add_row({s.outputs.outputs[k].name, s.outputs.outputs[k].unit, r.rms[k], r.crossings[k],
                   often > 1 ? r.rms[k] * std::sqrt(2 * std::log(often)) : 0.0});
  }
  return table;
}

// "(m/s^2)^2/Hz" of "m/s^2".
std::string density_unit(const std::string& unit) {
  const bool is_compound = unit.find_first_of("./^") != std::string::npos;
  return unit.empty() || unit == "-" ? "1/Hz" : is_compound ? "(" + unit + ")^2/Hz" : unit + "^2/Hz";
}

void add_densities(const System& s, const analysis::RandomResponse& r, analysis::Findings& findings) {
  for (std::size_t k = 0; k < r.densities.size(); ++k) {
    findings.channels.push_back({s.outputs.outputs[k].name + ".density", density_unit(s.outputs.outputs[k].unit)});
    for (std::size_t i = 0; i < findings.points.size(); ++i) findings.points[i].values.push_back(r.densities[k][i]);
  }
}

void refuse_bad_options(const LinearResponseCommand& o) {
  if (o.input.empty()) refuse("it is not said what the input is.", "Give --input NAME, a drive or a signal.");
  if (o.per_octave < 1 || o.per_octave > 200)
    refuse(fmt::format("--per-octave is {}, but must be 1 to 200.", o.per_octave), "Usual are 12 to 48.");
  if (o.coherence && !(*o.coherence >= 0 && *o.coherence <= 1))
    refuse("--coherence must be from 0 to 1.", "0: tracks know nothing of each other.");
  if (o.psd.empty() && (!o.also.empty() || !o.beside.empty()))
    refuse("--also and --beside are inputs of a random excitation.", "Give its density with --psd.");
  if (o.model.ends_with(".h5")) refuse("--linear needs a model, not a result.", "Give the model file.");
  if (o.csv) check_writable(*o.csv);
}

}  // namespace

int linear_response(const LinearResponseCommand& o) {
  refuse_bad_options(o);
  LinearCommand where;
  static_cast<AnalysisCommand&>(where) = o;
  static_cast<MotionOptions&>(where) = o.motion;
  where.at = o.at, where.start = o.start;
  System s{find_linear_point(where, "response"), {}, {}};
  const AnalysisFiles files = analysis_files(o, s.point.prepared.model->files);
  if (s.point.problem.empty()) s.linear = linearise(where, true, s.point, inputs_of(o));
  if (s.point.problem.empty()) {
    s.outputs = analysis::linear_outputs(s.point.prepared, s.point.at, s.linear, outputs_of(o, s.point));
    s.point.problem = s.outputs.problem;
  }
  const model::Model& m = *s.point.prepared.model;
  s.point.warnings = without(std::move(s.point.warnings), m.ignored_warnings);
  print_warnings(s.point.warnings);
  if (!s.point.problem.empty()) {
    fmt::print(stderr, "{}: there is no response. {}\n", o.model, s.point.problem);
    return unless_stopped(numerical_failure);
  }
  const analysis::Transfer transfer(s.linear, s.outputs);
  const Range range = range_of(o, s.linear);
  const bool is_random = !o.psd.empty();
  const auto random = is_random ? random_of(o, s, transfer, range) : analysis::RandomResponse{};
  const auto curves = curves_of(o, s, transfer, is_random ? random.frequencies : frequencies_of(o, range));
  const Table table = is_random ? random_table(s, random) : bands_table(curves);
  const std::string title = fmt::format("{}: linear response to {} at {}", m.name, o.input, s.point.where);
  analysis::Findings findings = response_findings(curves, false, stand_of(s.point));
  if (is_random) add_densities(s, random, findings);
  findings.method = s.point.where, findings.warnings = s.point.warnings;
  findings.json = fmt::format("{{\"run\": {}, \"input\": {}, \"low\": {}, \"high\": {}, \"{}\": {}, \"warnings\": {}}}",
                              json_string(title), json_string(o.input), json_number(range.low), json_number(range.high),
                              is_random ? "random" : "bands", table.to_json(), to_json(s.point.warnings));
  show_response(o, title, table, findings);
  write_analysis(files, o, findings, analysis::info_of(s.point.prepared, s.point.experiment));
  return success;
}

int any_response(const LinearResponseCommand& given) {
  LinearResponseCommand o = given;
  complete(o);
  if (o.linear) return linear_response(o);
  if (!o.psd.empty() || !o.also.empty() || !o.beside.empty() || o.coherence || o.start || o.at)
    refuse("--psd, --also, --beside, --coherence, --start and --at are of the linear system.", "Give --linear, too.");
  return response(o);
}

}  // namespace skyhook::app
