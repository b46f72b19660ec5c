// The fields of controllers and of those that listen to them: signals, channels, matrices and formulas by name.
#include <fmt/format.h>

#include <algorithm>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/model/signals.h"

namespace skyhook::io::model_file {

// Controllers and the names of continuous signals are read before what listens to them.
void FieldReader::set(const FieldInfo& info, Node& node, model::SignalRef& value) {
  const auto name = scalars_.full_name(node, what_of(info));
  if (!name) return;
  value = model::find_any_signal(reading_.model, *name);
  if (value.index >= 0) return;
  check_is_there(*name, node, what_of(info));
  const auto known = model::all_signal_names(reading_.model);
  report().add(node, what_of(info) + " is \"" + *name + "\", which is no signal.",
               known.empty() ? "Add a formula under `signals`, or a controller under `controllers`."
                             : suggest(*name, known, "Signals"));
}

// Whether there is such a channel is found when the equations are built.
void FieldReader::set(const FieldInfo& info, Node& node, model::Output& value) {
  if (node.is_text() && node.text.empty())
    report().add(node, what_of(info) + ": a channel without name.", "Write thing.quantity, for example tip.x.");
  if (node.is_text() && is_expression(node.text)) {
    report().add(
        node, what_of(info) + ": \"" + node.text + "\" is a formula, but a channel is meant, by its name.",
        "Write thing.quantity, for example tip.x. A formula gets a name under `outputs`, and is a channel then.");
    return;
  }
  const auto channel = scalars_.full_name(node, what_of(info));
  if (!channel) return;
  check_is_there(*channel, node, what_of(info));
  value.channel = *channel;
  value.where = report().at(node);
}

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<model::Output>& value) {
  if (!node.is_list() && !node.is_map()) {
    report().add(node, what_of(info) + " should be a list or a map, but is " + kind_name(node) + ".",
                 "Write [tip.x, ...] or {name: tip.x, ...}.");
    return;
  }
  for (Node& item : node.items) set(info, item, value.emplace_back());
  for (Entry& entry : node.entries) {
    set(info, entry.value, value.emplace_back());
    value.back().name = entry.key.text;
    own_variables_ += " " + entry.key.text + ":-";
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<std::string>& value) {
  if (!node.is_list()) {
    report().add(node, what_of(info) + " should be a list, but is " + kind_name(node) + ".", "Write [name, ...].");
    return;
  }
  for (const Node& item : node.items) {
    if (!scalars_.is_text(item, what_of(info))) continue;
    if (!is_identifier(item.text) || std::ranges::count(value, item.text) > 0)
      report().add(item, what_of(info) + ": \"" + item.text + "\" cannot be used as a name, or is there twice.",
                   "Use letters, digits and _.");
    value.push_back(item.text);
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, model::Rows& value) {
  if (node.is_text()) {  // of one row and one column
    if (const auto x = scalars_.number(node, wanted(info))) value = {{*x}};
    return;
  }
  if (!node.is_list()) {
    report().add(node, what_of(info) + " should be a list of rows, but is " + kind_name(node) + ".",
                 "Write [[a, b], [c, d]].");
    return;
  }
  for (Node& row : node.items) {
    if (!row.is_list()) {
      report().add(row, what_of(info) + ": a row should be a list, but is " + kind_name(row) + ".",
                   "Write [[a, b], [c, d]].");
      return;
    }
    value.push_back(numbers(info, row));
    place(info, row, value.back());
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, model::NamedFormulas& value) {
  if (!node.is_map()) {
    report().add(node, what_of(info) + " should be a map, but is " + kind_name(node) + ".",
                 "Write {name: =formula, ...}.");
    return;
  }
  const std::string variables = info.variables + own_variables_;
  warn_of_hidden_parameters(variables);
  for (Entry& entry : node.entries) {
    const std::string what = what_of(info) + ": " + entry.key.text;
    if (!is_identifier(entry.key.text))
      report().add(entry.key, what + " cannot be used as a name.", "Use letters, digits and _.");
    warn_of_hidden_locals(entry.value, variables);
    if (auto formula = scalars_.formula(entry.value, {what, info.unit, info.range}, variables))
      value.push_back({entry.key.text, std::move(*formula)});
  }
}

}  // namespace skyhook::io::model_file
