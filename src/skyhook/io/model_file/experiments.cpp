#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "skyhook/analysis/signal_formula.h"
#include "skyhook/base/wildcard.h"
#include "skyhook/expression/function_table.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/output_formula.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/repeat.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/io/model_file/text_lines.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::io::model_file {
namespace {

// Does the pattern name a channel of this thing: all but its last word?
bool matches_owner(const std::string& pattern, const std::string& name) {
  return matches(pattern.substr(0, pattern.rfind('.')), name);
}

// Only of things that are switched off?
bool is_of_nothing(const std::string& channel, const Reading& reading) {
  if (reading.off.empty()) return false;
  if (channel.find_first_of("*?") == std::string::npos) return reading.switched_off(channel) != nullptr;
  const auto is_owner = [&](const auto& entry) { return matches_owner(channel, entry.first); };
  return std::any_of(reading.off.begin(), reading.off.end(), is_owner) &&
         std::none_of(reading.names.begin(), reading.names.end(), is_owner);
}

// They stand in tables and legends.
bool has_usable_name(const Node& name, const std::string& what, Report& report) {
  const auto is_blank = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0; };
  const std::string& text = name.text;
  if (!std::all_of(text.begin(), text.end(), is_blank) && std::none_of(text.begin(), text.end(), is_control))
    return true;
  report.add(name, what + ": " + shown(text) + " cannot be the name of an output.",
             "Write a name of visible characters, in one line.");
  return false;
}

// A function of whole records, which nobody has while the run goes on; a table of that name is another thing.
bool needs_whole_record(const Node& formula, Reading& reading, const std::string& what) {
  for (const analysis::SignalFunction& f : analysis::signal_functions()) {
    const std::string call = std::string(f.name) + "(";
    const std::size_t at = formula.text.find(call);
    const bool begins =
        at != std::string::npos && (at == 0 || !(std::isalnum(static_cast<unsigned char>(formula.text[at - 1])) != 0 ||
                                                 formula.text[at - 1] == '_' || formula.text[at - 1] == '.'));
    if (!begins || expression::find_function(f.name) || expression::find_table(reading.model.tables, f.name)) continue;
    reading.report.add(
        formula, what + ": " + f.name + " needs the whole record, but an output is computed at each sample of the run.",
        std::string("Record its channel, and write the formula after the run: skyhook show RESULT \"") + f.signature +
            "\"; or under evaluations.");
    return true;
  }
  return false;
}

void read_formula(const Node& name, const Node& formula, const Scope& scope, Reading& reading, const std::string& what,
                  std::vector<model::Output>& outputs) {
  if (name.text.empty()) {
    reading.report.add(formula, what + ": \"" + formula.text + "\" is a formula without a name.",
                       "Write outputs as name: value, for example difference: \"=left.z - right.z\".");
    return;
  }
  if (name.text.find_first_of("*?") != std::string::npos) {
    reading.report.add(name, what + ": \"" + name.text + "\" cannot be the name of a formula.",
                       "Leave out * and ?, which stand for any text.");
    return;
  }
  if (needs_whole_record(formula, reading, what)) return;
  const auto text = global_formula(formula, scope, reading, what,
                                   [&](const std::string& channel) { return is_of_nothing(channel, reading); });
  if (text) outputs.push_back({scope.prefix + name.text, *text, place_of(formula, *text, reading)});
}

void read_output(const Node& name, Node channel, const Scope& scope, Reading& reading, const std::string& what,
                 std::vector<model::Output>& outputs) {
  const ScalarReader scalars(reading.report, reading.parameters, scope);
  if (channel.is_text() && channel.text.empty())
    reading.report.add(channel, what + ": a channel without name.", "Write thing.quantity, for example tip.x.");
  if (name.is_text() && !has_usable_name(name, what, reading.report)) return;
  if (channel.is_text() && is_expression(channel.text))
    return read_formula(name, channel, scope, reading, what, outputs);
  const auto resolved = scalars.full_name(channel, what);
  if (!resolved || is_of_nothing(*resolved, reading)) return;
  const std::string shown = name.text.empty() ? *resolved : scope.prefix + name.text;
  outputs.push_back({shown, *resolved, reading.report.at(channel)});
}

// A list of names, repeats unrolled.
std::vector<Node> unrolled(const Node& list, const Scope& scope, Reading& reading, const std::string& what) {
  std::vector<Node> names;
  const ScalarReader scalars(reading.report, reading.parameters, scope);
  for (const Node& item : list.items) {
    if (!scalars.is_text(item, what)) continue;
    for (const Instance& instance : instances_of(item, scalars, what)) {
      count(item, item, reading);
      names.push_back(text_node(instance.name, item));
    }
  }
  return names;
}

void read_independent(Node& node, Reading& reading, const std::string& what, model::Experiment& experiment) {
  if (!node.is_list()) {
    reading.report.add(node, what + ": independent should be a list, but is " + kind_name(node) + ".",
                       "Write [crank.angle, ...].");
    return;
  }
  node.items = unrolled(node, {}, reading, what + ": independent");
  for (const Node& item : node.items) experiment.independent.push_back(item.text);
}

bool is_angle(const model::Joint& joint, int scalar) {
  for (const model::Dof& dof : joint.shape.dofs) {
    const int count = dof.kind == model::Dof::Kind::ball ? 3 : 1;
    if (scalar < count) return count == 3 || dof.is_angle();
    scalar -= count;
  }
  return false;
}

void read_spin(Node& node, Reading& reading, const std::string& what, model::Experiment& experiment) {
  if (!node.is_map()) {
    reading.report.add(node, what + ": spin should be a map, but is " + kind_name(node) + ".",
                       "Write {axle.angle: 60 rad/s}.");
    return;
  }
  const ScalarReader scalars(reading.report, reading.parameters, {});
  for (Entry& entry : node.entries) {
    try {
      const auto found = formalism::find_coordinates(reading.model, {entry.key.text}, reading.report.at(entry.key));
      const model::Joint& joint = reading.model.joints[static_cast<std::size_t>(found[0].first)];
      const char* const unit = is_angle(joint, found[0].second) ? "rad/s" : "m/s";
      if (const auto rate = scalars.number(entry.value, {what + ": spin of " + entry.key.text, unit, any()}))
        experiment.spin.emplace_back(entry.key.text, *rate);
    } catch (const ModelError& error) {
      reading.report.add(error, what + ": spin");
    }
  }
}

// A parameter of the model, or of an instance. Those of an instance that only another experiment has are not known here.
bool can_be_set(const std::string& name, const Reading& reading, bool is_selected) {
  const auto is_it = [&](const model::Parameter& p) { return p.name == name || p.name == coordinate_name(name, 'x'); };
  return reading.parameters.is_defined(name) || reading.set_fields.count(name) != 0 ||
         std::any_of(reading.instance_parameters.begin(), reading.instance_parameters.end(), is_it) ||
         (!is_selected && name.find('.') != std::string::npos);
}

void read_set(const Node& node, Reading& reading, const std::string& what, bool is_selected,
              model::Experiment& experiment) {
  if (!node.is_map()) {
    reading.report.add(node, what + ": set should be a map, but is " + kind_name(node) + ".",
                       "Write {parameter: value, ...}.");
    return;
  }
  for (const Entry& entry : node.entries) {
    if (!can_be_set(entry.key.text, reading, is_selected)) {
      reading.report.add(entry.key,
                         what + " sets the parameter \"" + entry.key.text + "\", which the model does not have.",
                         suggest(entry.key.text, reading.parameter_names(), "Parameters"));
    } else if (!entry.value.is_text() && !entry.value.is_list()) {
      reading.report.add(
          entry.value,
          what + ": parameter \"" + entry.key.text + "\" needs a value, but has " + kind_name(entry.value) + ".",
          "Write a number, a quantity, an expression or a point [x, y, z].");
    }
    experiment.set.emplace_back(entry.key.text, text_of_setting(entry.value));
  }
}

void check_experiment(const FieldReader& reader, const model::Experiment& e, const std::string& what, Report& report) {
  if (e.analysis == "simulate" && !(e.until > e.from_time)) {
    report.add(reader.where("until"), what + " ends before it begins: until is not after from_time.",
               "Give \"until\", for example until: 10 s.");
  }
  try {
    if (e.solver != "auto") simulation::find_solver(e.solver, reader.where("solver"));
  } catch (const ModelError& error) {
    report.add(error, what);
  }
}

void read_parts(ExperimentFields& given, Reading& reading, const std::string& what, bool is_selected) {
  if (given.independent_part.node) read_independent(*given.independent_part.node, reading, what, given);
  if (given.spin_part.node) read_spin(*given.spin_part.node, reading, what, given);
  if (given.set_part.node) read_set(*given.set_part.node, reading, what, is_selected, given);
  if (Node* outputs = given.outputs_part.node) {
    read_outputs(*outputs, {}, reading, what + ": outputs", given.outputs);
    if (given.outputs.empty())
      reading.warn("no_effect", reading.report.at(*outputs),
                   what + ": outputs: it names none, so those of the model are recorded.", "Name some, or remove it.");
    *outputs = expanded(given.outputs, *outputs);
    // What others define by formulas are no channels here: their parts may be switched off.
    if (!is_selected) std::erase_if(given.outputs, [](const model::Output& o) { return o.is_formula(); });
  }
  if (Node* initial = given.initial.node) {
    const Apply apply = is_selected ? Apply::yes : given.set.empty() ? Apply::no : Apply::unchecked;
    InitialValues known;
    *initial = read_initial(*initial, {}, reading, what + ": initial", apply, known);
  }
}

void read_experiment(Entry& entry, Reading& reading, bool is_selected) {
  const std::string what = "experiment \"" + entry.key.text + "\"";
  AnyExperimentFields given;
  FieldReader reader(reading, entry.value, what, entry.key.text, entry.key);
  read_described(reader, given);
  given.name = entry.key.text;
  given.where = reading.report.at(entry.key);
  for (const Entry& field : entry.value.entries) given.given.emplace_back(field.key.text, reading.report.at(field.key));
  if (!reader.has_failed()) check_experiment(reader, given, what, reading.report);
  for (const auto& [field, where] : given.given) {
    if (given.analysis == "simulate" && (field == "speed" || field == "yaw_rate" || field == "spin"))
      reading.warn("no_effect", where, what + ": `" + field + "` belongs to an equilibrium in steady motion.",
                   "Give it to one, and start from that (`from:`), or give initial values.");
  }
  read_parts(given, reading, what, is_selected);
  read_kinematics(given, reading, what, is_selected);
  read_analysis_options(given, reading, what);
  reading.model.experiments.push_back(given);  // without the parts
}

void check_starts(Reading& reading) {
  std::vector<std::string> names;
  for (const model::Experiment& e : reading.model.experiments) {
    if (e.analysis == "equilibrium") names.push_back(e.name);
  }
  for (const model::Experiment& e : reading.model.experiments) {
    if (e.start.empty() || std::find(names.begin(), names.end(), e.start) != names.end()) continue;
    reading.report.add(
        e.where,
        "experiment \"" + e.name + "\" starts from \"" + e.start +
            "\", which is not an experiment that finds an equilibrium.",
        names.empty() ? "Add one: rest: {analysis: equilibrium}." : suggest(e.start, names, "Experiments that do"));
  }
}

// Of an experiment that is left out, does the selected one need the equilibrium?
bool starts_from(const std::string& selected, const std::string& name, const Reading& reading) {
  return std::any_of(reading.model.experiments.begin(), reading.model.experiments.end(),
                     [&](const model::Experiment& e) { return e.name == selected && e.start == name; });
}

bool reads(const Node& formula, const std::string& name) {
  if (!formula.is_text() || !formula.text.starts_with('=')) return false;
  try {
    return std::ranges::count(expression::names_in(formula.text.substr(1), {}), name) > 0;
  } catch (const ModelError&) {
    return false;  // reported where it is read
  }
}

// A formula that says the name of a parameter and of an output means the parameter.
void warn_of_hidden_outputs(const Node& outputs, const Scope& scope, Reading& reading) {
  for (const Entry& hidden : outputs.entries) {
    const std::string& name = hidden.key.text;
    if (!scope.find(name) && !reading.parameters.is_defined(name)) continue;
    for (const Entry& formula : outputs.entries) {
      if (reads(formula.value, name))
        reading.warn("hidden_name", reading.report.at(formula.value),
                     "output \"" + formula.key.text + "\" reads \"" + name +
                         "\", which is a parameter and an output: the parameter is taken.",
                     "Give one of them another name.");
    }
  }
}

}  // namespace

void read_outputs(const Node& node, const Scope& scope, Reading& reading, const std::string& what,
                  std::vector<model::Output>& outputs) {
  if (node.is_list()) {
    for (const Node& item : unrolled(node, scope, reading, what)) read_output({}, item, scope, reading, what, outputs);
  } else if (node.is_map()) {
    warn_of_hidden_outputs(node, scope, reading);
    const ScalarReader scalars(reading.report, reading.parameters, scope);
    for (const Entry& entry : node.entries) {
      for (const Instance& instance : instances_of(entry.key, scalars, what)) {
        count(entry.value, entry.key, reading);
        const Node name = text_node(instance.name, entry.key);
        read_output(name, entry.value, instance.scope, reading, what, outputs);
      }
    }
  } else {
    reading.report.add(node, what + " should be a list or a map, but is " + kind_name(node) + ".",
                       "Write [tip.x, ...] or name: channel.");
  }
}

Node expanded(const std::vector<model::Output>& outputs, const Node& place) {
  const bool is_list =
      std::all_of(outputs.begin(), outputs.end(), [](const model::Output& o) { return o.name == o.channel; });
  Node node = map_node(place);
  if (is_list) node.kind = Node::Kind::list;
  std::unordered_set<std::string> names;
  for (const model::Output& o : outputs) {
    if (is_list)
      node.items.push_back(text_node(o.channel, place));
    else if (names.insert(o.name).second)
      node.entries.push_back({text_node(o.name, place), text_node(o.channel, place)});
  }
  return node;
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
  check_starts(reading);
  // The numbers are those of one experiment: with them another one would be wrong.
  if (!selected.empty()) {
    std::erase_if(expanded.entries, [&](const Entry& e) {
      return e.key.text != selected && !starts_from(selected, e.key.text, reading);
    });
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
    const bool is_known =
        reading.parameters.is_defined(entry.key.text) || entry.key.text.find('.') != std::string::npos;
    if ((entry.value.is_text() || entry.value.is_list()) && is_known) reading.set(entry.key.text, entry.value, true);
  }
}

}  // namespace skyhook::io::model_file
