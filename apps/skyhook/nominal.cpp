#include "skyhook/analysis/nominal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "analysis_files.h"
#include "experiment_options.h"
#include "model_commands.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/base/wildcard.h"
#include "skyhook/simulation/channels.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using analysis::NominalParameter;

// All that can be varied, with unit and value: parameters, and numbers of elements that the file has.
using Known = std::map<std::string, NominalParameter>;

bool is_angle(const model::Model& m, const model::Contribution& c) {
  if (!c.on_coordinate()) return false;
  int scalar = 0;
  for (const model::Dof& dof : m.joints[static_cast<std::size_t>(c.joint)].shape.dofs) {
    const int count = dof.kind == model::Dof::Kind::ball ? 3 : 1;
    if (c.dof < scalar + count) return dof.is_angle() || count == 3;
    scalar += count;
  }
  return false;
}

// Numbers of joints, forces and controllers; not those of bodies and experiments.
void keep_elements(const model::Model& m, Known& known) {
  std::set<std::string> names;
  for (const auto& one : m.joints) names.insert(one.name);
  for (const auto& one : m.contributions) names.insert(one.name);
  for (const auto& one : m.controllers) names.insert(one.name);
  std::erase_if(known, [&](const auto& one) { return !names.count(one.first.substr(0, one.first.rfind('.'))); });
}

// Preloads of springs and loads of tyres. A preload that is not given is 0.
std::vector<std::string> usual_ones(const model::Model& m, Known& known) {
  std::vector<std::string> names;
  for (const model::Contribution& c : m.contributions) {
    const std::string preload = c.name + (is_angle(m, c) ? ".angular_preload" : ".preload");
    if (c.type == "spring_damper") {
      known.try_emplace(preload, NominalParameter{preload, is_angle(m, c) ? "N.m" : "N"});
      names.push_back(preload);
    }
    if (c.type == "tyre_vertical" && known.count(c.name + ".load")) names.push_back(c.name + ".load");
  }
  return names;
}

std::vector<NominalParameter> chosen(const NominalCommand& options, const model::Model& m, Known& known) {
  if (options.vary == std::vector<std::string>{"none"}) return {};
  std::vector<std::string> names = usual_ones(m, known);
  if (!options.vary.empty()) names.clear();
  for (const std::string& pattern : options.vary) {
    const std::size_t before = names.size();
    for (const auto& [name, parameter] : known) {
      if (matches(pattern, name)) names.push_back(name);
    }
    if (names.size() > before) continue;
    std::vector<std::string> all;
    for (const auto& [name, parameter] : known) all.push_back(name);
    throw ModelError({"command line"},
                     "--vary " + pattern + ": there is no parameter and no number of an element of this name.",
                     suggest(pattern, all, "Names") + " A field that has its default can be varied when it is given.");
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty())
    throw ModelError({options.model},
                     "there is nothing to vary: the model has no springs with a preload, and no tyres with a load.",
                     "Name parameters or fields of elements with --vary, for example --vary strut.preload.");
  std::vector<NominalParameter> list;
  for (const std::string& name : names) list.push_back(known.at(name));
  return list;
}

void take_weights(const std::vector<std::string>& weights, std::vector<NominalParameter>& list) {
  for (const std::string& text : weights) {
    const std::size_t at = text.find('=');
    char* end = nullptr;
    const double value = at == std::string::npos ? 0.0 : std::strtod(text.c_str() + at + 1, &end);
    if (!(value > 0) || *end != '\0')
      throw ModelError({"command line"},
                       "--weight " + text + " is not of the form NAME=NUMBER, with a number above 0.");
    bool any = false;
    for (NominalParameter& one : list) {
      if (matches(text.substr(0, at), one.name)) one.weight = value, any = true;
    }
    if (!any) throw ModelError({"command line"}, "--weight " + text + ": no such parameter is varied.");
  }
}

std::string text_of(const NominalParameter& p, double value) {
  return fmt::format("{}{}", value, p.unit == "-" ? "" : " " + p.unit);
}

analysis::PrepareWith preparer(const NominalCommand& options, const std::vector<NominalParameter>& list,
                               const model::Experiment& experiment) {
  ModelOptions same = options;
  std::erase_if(same.set, [&](const std::string& text) {
    return std::ranges::any_of(list, [&](const auto& p) { return text.rfind(p.name + "=", 0) == 0; });
  });
  return [same, list, experiment](const std::vector<double>& values) {
    ModelOptions changed = same;
    for (std::size_t k = 0; k < list.size(); ++k)
      changed.set.push_back(list[k].name + "=" + text_of(list[k], values[k]));
    return simulation::prepare(std::make_shared<const model::Model>(read(changed, experiment.name)), experiment);
  };
}

constexpr const char* fragment_head = "# Nominal values of ";

// What an earlier call has written may be replaced, although it reads as a model.
bool is_fragment(const std::string& file) {
  std::string first;
  std::ifstream in(file);
  return std::getline(in, first) && first.starts_with(fragment_head);
}

std::string fragment(const std::vector<NominalParameter>& list, const analysis::Nominal& found,
                     const std::string& model) {
  std::string text = fragment_head;
  text += fmt::format(
      "{}, found by `skyhook nominal`: with them its drawn position is in equilibrium.\n"
      "# Use: include: [this file]\nskyhook: 1\nnominal:\n",
      printable(model));
  for (std::size_t k = 0; k < list.size(); ++k)
    text += fmt::format("  \"{}\": {}\n", list[k].name, text_of(list[k], found.values[k]));
  return text;
}

// Channels of the drawn position that the experiment asks for.
std::vector<NominalParameter> outputs_of(const simulation::Prepared& p, const model::Experiment& experiment) {
  std::vector<NominalParameter> out;
  if (experiment.outputs.empty()) return out;
  simulation::Evaluator evaluator(p.active, p.all);
  if (evaluator.evaluate(p.state.t, p.state.q, p.state.v) != Eval::ok)
    throw ModelError({p.model->name}, "The forces cannot be found: " + evaluator.blame() + ".");
  for (const auto& c : simulation::choose_channels(simulation::all_channels(*p.active), experiment.outputs))
    out.push_back({c.name, c.unit, c.value(evaluator.now(), {})});
  return out;
}

std::string json_of(const std::vector<NominalParameter>& list, const std::vector<NominalParameter>& outputs,
                    const analysis::Nominal& found, const std::vector<Warning>& warnings) {
  std::string forces, before, units, remaining;
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    const std::string name = (k ? ", " : "") + json_string(list[k].name) + ": ";
    forces += name + json_number(found.values[k]), before += name + json_number(list[k].value);
    units += name + json_string(list[k].unit);
  }
  for (const NominalParameter& one : outputs) {
    const std::string name = (forces.empty() ? "" : ", ") + json_string(one.name) + ": ";
    forces += name + json_number(one.value);
    units += (units.empty() ? "" : ", ") + json_string(one.name) + ": " + json_string(one.unit);
  }
  for (const auto& one : found.remaining)
    remaining +=
        fmt::format("{}{}: {}", remaining.empty() ? "" : ", ", json_string(one.coordinate), json_number(one.force));
  return fmt::format(
      "{{\"found\": {}, \"problem\": {}, \"forces\": {{{}}}, \"residual\": {}, \"rank\": {}, \"iterations\": {}, "
      "\"remaining\": {{{}}}, "
      "\"without_effect\": {}, \"before\": {{{}}}, \"units\": {{{}}}, \"warnings\": {}}}",
      found.found, json_string(found.problem), forces, json_number(found.residual), found.rank, found.iterations,
      remaining, json_list(found.without_effect), before, units, to_json(warnings));
}

void print_text(const std::string& name, const std::vector<NominalParameter>& list, const analysis::Nominal& found) {
  fmt::print("{} of {} parameters of {} are decided by equilibrium; residual {:.1e} of the largest force\n",
             std::min<std::size_t>(found.rank, list.size()), list.size(), printable(name), found.residual);
  if (!found.without_effect.empty()) {
    std::string names;
    for (const std::string& one : found.without_effect) names += (names.empty() ? "" : ", ") + one;
    fmt::print("without effect on the drawn position: {}\n", printable(names));
  }
  Table table;
  table.add_column("parameter"), table.add_column("nominal", "", 10), table.add_column("before", "", 10);
  table.add_column("unit");
  for (std::size_t k = 0; k < found.values.size(); ++k)
    table.add_row({list[k].name, found.values[k], list[k].value, list[k].unit});
  fmt::print("{}", table.to_text());
}

void print_outputs(const std::vector<NominalParameter>& outputs) {
  if (outputs.empty()) return;
  Table table;
  table.add_column("in the drawn position"), table.add_column("value", "", 10), table.add_column("unit");
  for (const NominalParameter& one : outputs) table.add_row({one.name, one.value, one.unit});
  fmt::print("{}", table.to_text());
}

// The drawn position with the values found.
analysis::Findings findings_of(const std::vector<NominalParameter>& list, const analysis::Nominal& found,
                               const simulation::Prepared& p, const std::string& json) {
  analysis::Findings out{.analysis = "nominal", .method = "drawn position"};
  const auto stand = std::make_shared<const analysis::Stand>(analysis::stand_moving(p.active, p.all, p.state));
  out.points.push_back({p.state.t, found.values, {}, stand});
  for (const NominalParameter& one : list) out.channels.push_back({one.name, one.unit});
  out.warnings = found.warnings, out.json = json;
  return out;
}

}  // namespace

int nominal(const NominalCommand& given) {
  NominalCommand options = given;
  complete(options);
  const double alpha = options.alpha.value_or(0);
  if (!(alpha >= 0)) throw ModelError({"command line"}, "--alpha is negative.", "Give 0, the default, or more.");
  Known known;
  NominalCommand watched = options;
  watched.on_number = [&](const std::string& element, const FieldInfo& field, double value) {
    const std::string name = element + "." + field.name;
    known[name] = {name, field.unit, value};
  };
  model::Experiment experiment;
  model::Model m = load(watched, "nominal", experiment);
  if (experiment.name.empty()) m = load(watched, "equilibrium", experiment);
  const AnalysisFiles files = analysis_files(options, m.files, {".yaml", ".yml", "-"});
  if (!files.own.empty() && !is_fragment(files.own)) check_writable(files.own);
  keep_elements(m, known);
  for (const model::Parameter& p : m.parameters) known[p.name] = {p.name, p.unit, p.value};
  std::vector<NominalParameter> list = chosen(options, m, known);
  take_weights(options.weight, list);
  const auto prepare = preparer(options, list, experiment);
  std::vector<double> start;
  for (const NominalParameter& one : list) start.push_back(one.value);
  std::vector<Warning> warnings = simulation::warnings_before(prepare(start));
  analysis::Nominal found = analysis::find_nominal(list, prepare, {.alpha = alpha});
  print_warnings(warnings);
  const bool is_known = found.found || found.residual > 0;  // the drawn position could be looked at
  const auto outputs = is_known ? outputs_of(prepare(found.values), experiment) : std::vector<NominalParameter>();
  const std::string json = json_of(list, outputs, found, warnings);
  if (options.json) {
    fmt::print("{}\n", json);
  } else if (files.own != "-" && !options.quiet) {
    if (!found.values.empty()) print_text(m.name, list, found);
    if (found.values.empty() && found.found)
      fmt::print("the drawn position of {} is in equilibrium; residual {:.1e} of the largest force\n",
                 printable(m.name), found.residual);
    print_outputs(outputs);
  }
  if (!found.found && is_known && list.empty()) {
    fmt::print(stderr, "{}\n", found.problem);  // nothing was asked for but to look
    for (const std::string& file : {files.own, files.result, files.picture, files.report})
      if (!file.empty()) fmt::print(stderr, "{} is not written: there are no nominal values.\n", file);
    return success;
  }
  if (!found.found) {
    fmt::print(stderr, "{}\n", found.problem);
    return numerical_failure;
  }
  if (!files.own.empty()) write_text(files.own, fragment(list, found, m.name));
  if (!files.own.empty() && files.own != "-" && !options.json) fmt::print("nominal values in {}\n", files.own);
  const simulation::Prepared p = prepare(found.values);
  found.warnings = warnings;
  write_analysis(files, options, findings_of(list, found, p, json), analysis::info_of(p, experiment));
  return success;
}

}  // namespace skyhook::app
