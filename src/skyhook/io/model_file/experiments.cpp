#include <algorithm>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/repeat.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

void read_output(const Node& name, Node channel, std::vector<Index> indices, Reading& reading, const std::string& what,
                 std::vector<model::Output>& outputs) {
  const ScalarReader scalars(reading.report, reading.parameters, std::move(indices));
  const auto resolved = scalars.reference(channel, what);
  if (!resolved) return;
  if (resolved->empty())
    reading.report.add(channel, what + ": a channel without name.", "Write thing.quantity, for example tip.x.");
  outputs.push_back({name.text.empty() ? *resolved : name.text, *resolved, reading.report.at(channel)});
}

// A list of names, repeats unrolled.
std::vector<Node> unrolled(const Node& list, Reading& reading, const std::string& what) {
  std::vector<Node> names;
  const ScalarReader scalars(reading.report, reading.parameters, {});
  for (const Node& item : list.items) {
    if (!scalars.is_text(item, what)) continue;
    for (const Instance& instance : instances_of(item, scalars, what)) names.push_back(text_node(instance.name, item));
  }
  return names;
}

void read_independent(Node& node, Reading& reading, const std::string& what, model::Experiment& experiment) {
  if (!node.is_list()) {
    reading.report.add(node, what + ": independent should be a list, but is " + kind_name(node) + ".",
                       "Write [crank.angle, ...].");
    return;
  }
  node.items = unrolled(node, reading, what + ": independent");
  for (const Node& item : node.items) experiment.independent.push_back(item.text);
}

void read_set(const Node& node, Reading& reading, const std::string& what, model::Experiment& experiment) {
  if (!node.is_map()) {
    reading.report.add(node, what + ": set should be a map, but is " + kind_name(node) + ".",
                       "Write {parameter: value, ...}.");
    return;
  }
  for (const Entry& entry : node.entries) {
    if (!reading.parameters.is_defined(entry.key.text)) {
      reading.report.add(entry.key,
                         what + " sets the parameter \"" + entry.key.text + "\", which the model does not have.",
                         suggest(entry.key.text, reading.parameters.names(), "Parameters"));
    } else if (!entry.value.is_text()) {
      reading.report.add(
          entry.value,
          what + ": parameter \"" + entry.key.text + "\" needs a value, but has " + kind_name(entry.value) + ".",
          "Write a number, quantity or expression.");
    }
    experiment.set.emplace_back(entry.key.text, entry.value.text);
  }
}

void check_experiment(const FieldReader& reader, const model::Experiment& e, const std::string& what, Report& report) {
  if (e.analysis == "simulate" && !(e.until > e.from_time)) {
    report.add(reader.where("until"), what + " ends before it begins: until is not after from_time.",
               "Give \"until\", for example until: 10 s.");
  }
}

void read_parts(ExperimentFields& given, Reading& reading, const std::string& what, bool is_selected) {
  if (given.independent_part.node) read_independent(*given.independent_part.node, reading, what, given);
  if (given.set_part.node) read_set(*given.set_part.node, reading, what, given);
  if (given.outputs_part.node) read_outputs(*given.outputs_part.node, reading, what + ": outputs", given.outputs);
  // With other parameters the model may have other joints: what is set for another experiment is not checked.
  if (given.initial.node && (is_selected || given.set.empty())) {
    read_initial(*given.initial.node, reading, what + ": initial", is_selected ? Apply::yes : Apply::no);
  }
}

void read_experiment(Entry& entry, Reading& reading, bool is_selected) {
  const std::string what = "experiment \"" + entry.key.text + "\"";
  ExperimentFields given;
  FieldReader reader(reading, entry.value, what, entry.key.text, entry.key);
  read_described(reader, given);
  given.name = entry.key.text;
  given.where = reading.report.at(entry.key);
  if (!reader.has_failed()) check_experiment(reader, given, what, reading.report);
  read_parts(given, reading, what, is_selected);
  reading.model.experiments.push_back(given);  // without the parts
}

}  // namespace

void read_outputs(Node& node, Reading& reading, const std::string& what, std::vector<model::Output>& outputs) {
  if (node.is_list()) {
    node.items = unrolled(node, reading, what);
    for (const Node& item : node.items) read_output({}, item, {}, reading, what, outputs);
  } else if (node.is_map()) {
    Node expanded = map_node(node);
    const ScalarReader scalars(reading.report, reading.parameters, {});
    for (const Entry& entry : node.entries) {
      for (const Instance& instance : instances_of(entry.key, scalars, what)) {
        const Node name = text_node(instance.name, entry.key);
        read_output(name, entry.value, instance.indices, reading, what, outputs);
        expanded.entries.push_back({name, text_node(outputs.empty() ? "" : outputs.back().channel, entry.value)});
      }
    }
    node = std::move(expanded);
  } else {
    reading.report.add(node, what + " should be a list or a map, but is " + kind_name(node) + ".",
                       "Write [tip.x, ...] or name: channel.");
  }
}

Node read_experiments(Node& section, Reading& reading, const std::string& selected) {
  if (!section.is_map()) {
    reading.report.add(
        section, std::string("a map of experiments by name is expected here, but it is ") + kind_name(section) + ".",
        "Write name: {analysis: simulate, until: 10 s}.");
    return map_node(section);
  }
  Node expanded = section;
  for (Entry& entry : expanded.entries) {
    try {
      read_experiment(entry, reading, entry.key.text == selected);
    } catch (const Report::Known&) {}
    erase(entry.value, "set");  // its effect is in the numbers already
  }
  return expanded;
}

void apply_settings_of(const std::string& experiment, Node* experiments, Reading& reading) {
  if (experiment.empty()) return;
  std::vector<std::string> names;
  if (experiments && experiments->is_map()) {
    for (const Entry& entry : experiments->entries) names.push_back(entry.key.text);
  }
  if (std::find(names.begin(), names.end(), experiment) == names.end()) {
    reading.report.add(Location{"command line"}, "experiment \"" + experiment + "\" is not in the model.",
                       suggest(experiment, names, "Experiments"));
    return;
  }
  const Entry* set = find(find(*experiments, experiment)->value, "set");
  if (!set || !set->value.is_map()) return;  // reported when the experiment is read
  for (const Entry& entry : set->value.entries) {
    if (reading.parameters.is_defined(entry.key.text) && entry.value.is_text()) {
      reading.parameters.redefine(entry.key.text, entry.value.text, reading.report.at(entry.value), reading.report);
    }
  }
}

}  // namespace skyhook::io::model_file
