// What an experiment says of equilibria, modes, linear systems, responses and nominal forces.
#include "skyhook/model/analysis_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

// The analyses that a field is of.
const std::map<std::string, std::vector<std::string>>& analyses_by_field() {
  static const std::vector<std::string> steady{"equilibrium", "modes", "linearize", "response"},
      linear{"modes", "linearize", "response"}, modes{"modes"}, response{"response"}, nominal{"nominal"};
  static const std::map<std::string, std::vector<std::string>> known{{"steer", steady},
                                                                     {"rolling", steady},
                                                                     {"way", steady},
                                                                     {"at", linear},
                                                                     {"at_start", linear},
                                                                     {"sweep", modes},
                                                                     {"crossing", modes},
                                                                     {"lowest", modes},
                                                                     {"low", response},
                                                                     {"high", response},
                                                                     {"per_octave", response},
                                                                     {"psd", response},
                                                                     {"also", response},
                                                                     {"beside", response},
                                                                     {"coherence", response},
                                                                     {"vary", nominal},
                                                                     {"weights", nominal},
                                                                     {"alpha", nominal},
                                                                     {"inputs", {"linearize", "response"}},
                                                                     {"evaluations", {"simulate"}}};
  return known;
}

void refuse_fields_of_others(const AnyExperimentFields& given, Reading& reading, const std::string& what) {
  for (const auto& [name, where] : given.given) {
    const auto field = analyses_by_field().find(name);
    if (field == analyses_by_field().end() || std::ranges::count(field->second, given.analysis) > 0) continue;
    std::string analyses;
    for (const std::string& one : field->second) analyses += (analyses.empty() ? "" : " or ") + one;
    reading.report.add(where, what + ": \"" + name + "\" is of " + analyses + " alone.",
                       "Write analysis: " + field->second.front() + ", or remove it.");
  }
}

std::vector<std::string> names_in(const Part& part, const char* field, Reading& reading, const std::string& what) {
  std::vector<std::string> names;
  if (!part.node) return names;
  const std::string whose = what + ": " + field;
  const ScalarReader scalars(reading.report, reading.parameters, {});
  if (part.node->is_text()) return {part.node->text};
  if (part.node->is_list()) {
    for (const Node& item : part.node->items) {
      if (scalars.is_text(item, whose)) names.push_back(item.text);
    }
  } else {
    reading.report.add(*part.node, whose + " should be a list of names, but is " + kind_name(*part.node) + ".",
                       "Write [name, ...].");
  }
  if (names.empty() && part.node->is_list())
    reading.report.add(*part.node, whose + " is an empty list.", "Name some, or remove it.");
  return names;
}

// As "name=number", in SI.
std::vector<std::string> values_in(const Part& part, const char* field, const char* unit, Reading& reading,
                                   const std::string& what) {
  std::vector<std::string> out;
  if (!part.node) return out;
  const std::string whose = what + ": " + field;
  if (!part.node->is_map()) {
    reading.report.add(*part.node, whose + " should be a map, but is " + kind_name(*part.node) + ".",
                       "Write {name: value, ...}.");
    return out;
  }
  const ScalarReader scalars(reading.report, reading.parameters, {});
  for (Entry& entry : part.node->entries) {
    if (const auto value = scalars.number(entry.value, {whose + " of " + entry.key.text, unit, at_least(0.0)}))
      out.push_back(fmt::format("{}={}", entry.key.text, *value));
  }
  return out;
}

}  // namespace

void read_analysis_options(AnyExperimentFields& given, Reading& reading, const std::string& what) {
  refuse_fields_of_others(given, reading, what);
  model::AnalysisOptions options = given;
  options.rolling = names_in(given.rolling_part, "rolling", reading, what);
  options.inputs = names_in(given.inputs_part, "inputs", reading, what);
  options.vary = names_in(given.vary_part, "vary", reading, what);
  options.also = values_in(given.also_part, "also", "s", reading, what);
  options.beside = values_in(given.beside_part, "beside", "s", reading, what);
  options.evaluations = read_evaluations(given.evaluations_part, reading, what);
  options.weights = values_in(given.weights_part, "weights", "-", reading, what);
  if (options.crossing && options.sweep.empty())
    reading.report.add(given.where, what + ": a crossing is found within a sweep.",
                       "Give one, for example sweep: speed=10..100/19.");
  if (given.analysis == "response" && options.inputs.empty())
    reading.report.add(given.where, what + " does not say what excites.", "Give inputs: [road.displacement].");
  given.options = std::make_shared<const model::AnalysisOptions>(std::move(options));
}

}  // namespace skyhook::io::model_file
