#include "skyhook/io/model_file/field_reader.h"

#include <algorithm>

#include "skyhook/io/model_file/plausibility.h"
#include "skyhook/io/model_file/slips.h"
#include "skyhook/io/model_file/synonyms.h"

namespace skyhook::io::model_file {

FieldReader::FieldReader(Reading& reading, Node& map, std::string what, std::string name, const Node& place,
                         Scope scope)
    : reading_(reading),
      map_(map),
      what_(std::move(what)),
      name_(std::move(name)),
      place_(reading.report.at(place)),
      findings_before_(reading.report.size()),
      scalars_(reading.report, reading.parameters, std::move(scope)) {}

// For messages; made for each field, although hardly any has one.
std::string FieldReader::what_of(const FieldInfo& info) const {
  const std::string_view name = info.name;
  std::string what;
  what.reserve(what_.size() + 2 + name.size());
  return what.append(what_).append(": ").append(name);
}

FieldReader FieldReader::inner(Node& map, const FieldInfo& info) const {
  return {reading_, map, what_of(info), name_ + "." + info.name, map, scalars_.scope()};
}

Location FieldReader::where(const char* field) const {
  const Entry* entry = find(map_, field);
  return entry ? report().at(entry->value.is_nothing() ? entry->key : entry->value) : place_;
}

void FieldReader::check_keys(const std::vector<FieldInfo>& known) {
  if (map_.is_nothing()) return;  // all at their defaults
  if (!map_.is_map()) {
    report().add(map_, what_ + " should be a map of fields, but is " + kind_name(map_) + ".",
                 "Write { field: value, ... }.");
    throw Report::Known{};
  }
  for (const Entry& entry : map_.entries) {
    const std::string_view key = entry.key.text;
    if (std::ranges::none_of(known, [&](const FieldInfo& info) { return key == std::string_view(info.name); })) {
      std::vector<std::string> names;
      for (const FieldInfo& info : known) names.push_back(info.name);
      report().add(entry.key, what_ + " has the field \"" + entry.key.text + "\", which is not known.",
                   is_behind_decimal_comma(entry)
                       ? "Is it the rest of a number with a decimal comma? Write a decimal point: 0.5 for 0,5."
                       : suggest_key(entry.key.text, names, "Fields"));
    }
  }
}

Node* FieldReader::find_value(const FieldInfo& info) {
  Entry* entry = find(map_, info.name);
  if (entry && !entry->value.is_nothing()) return &entry->value;
  if (!entry && !info.is_required) return nullptr;
  const std::string help = std::string(info.help).empty() ? "." : ": " + std::string(info.help) + ".";
  if (entry) {
    report().add(entry->key, what_ + ": \"" + info.name + "\" has no value.", "Give one or remove the line" + help);
  } else {
    report().add(place_, what_ + " needs \"" + info.name + "\".", "Add it" + help);
  }
  return nullptr;
}

bool FieldReader::read(const FieldInfo& info, model::FieldTarget target) {
  if (*info.other_stop) swap_stops(info);
  if (std::holds_alternative<std::optional<model::CoordinateRef>*>(target)) coordinate_sign_ = 1.0;
  Node* node = find_value(info);
  if (node) check_axes(info, *node);
  if (node) std::visit([&](auto* value) { set(info, *node, *value); }, target);
  if (!node && (!placement().is_none() || coordinate_sign_ < 0.0)) place_default(info, target);
  if (info.name == last_field_ && has_failed()) throw Report::Known{};
  return node != nullptr;
}

bool FieldReader::read(const FieldInfo& info, Part* part) {
  Entry* entry = find(map_, info.name);
  if (!entry && info.is_required) find_value(info);
  if (entry && !entry->value.is_nothing()) part->node = &entry->value;
  return part->node != nullptr;
}

bool FieldReader::read(const FieldInfo& info, std::optional<Mat3d>* value) {
  Node* node = find_value(info);
  if (node) set(info, *node, value->emplace());
  return node != nullptr;
}

void FieldReader::set(const FieldInfo& info, Node& node, double& value) {
  const std::string text = node.text;
  const Wanted field = wanted(info);
  if (const auto x = scalars_.number(node, field)) {
    value = *x;
    if (reading_.files.on_number) reading_.files.on_number(name_, info, value);
    place(info, node, value);
    doubt_angle({text, scalars_.scope()}, node, value, info.unit, field.what, reading_);
    note_length({text, scalars_.scope()}, node, value, info, field.what, reading_);
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, bool& value) {
  if (const auto x = scalars_.boolean(node, wanted(info))) value = *x;
}

void FieldReader::set(const FieldInfo& info, Node& node, int& value) {
  if (const auto x = scalars_.integer(node, wanted(info))) value = static_cast<int>(*x);
}

void FieldReader::set(const FieldInfo& info, Node& node, std::string& value) {
  scalars_.take_text(node);
  if (!scalars_.is_text(node, what_of(info))) return;
  const std::vector<std::string> choices = words_of(info.is_checked_elsewhere ? "" : info.choices);
  if (!choices.empty() && std::find(choices.begin(), choices.end(), node.text) == choices.end()) {
    report().add(node, what_of(info) + " is \"" + node.text + "\", which is not known.",
                 suggest(node.text, choices, "Choices"));
    return;
  }
  value = node.text;
  place(info, value);
}

std::vector<double> FieldReader::numbers(const FieldInfo& info, Node& list) {
  std::vector<double> values;
  const Wanted field = wanted(info);
  doubt_commas(list, field.what, reading_);
  for (Node& item : list.items) {
    const std::string text = item.text;
    const auto x = scalars_.number(item, field);
    if (!x) continue;
    doubt_angle({text, scalars_.scope()}, item, *x, info.unit, field.what, reading_);
    values.push_back(*x);
  }
  return values;
}

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<double>& value) {
  scalars_.spread_point(node, wanted(info));
  if (node.is_list()) {
    value = numbers(info, node);
    place(info, node, value);
  } else if (const auto x = scalars_.number(node, wanted(info))) {
    value = {*x};
  }
}

void FieldReader::check_is_there(const std::string& name, const Node& node, const std::string& what) {
  if (reading_.has_failed(name)) throw Report::Known{};
  if (const Reading::Off* off = reading_.switched_off(name)) {
    report().add(node, what + " is \"" + name + "\", which is switched off" + off->reason() + ".",
                 "Switch it on, or give this an `if` as well.");
    throw Report::Known{};
  }
}

int FieldReader::body_named(const std::string& name, const Node& node, const std::string& what) {
  if (name == "ground") return model::ground;
  if (const auto found = reading_.bodies.find(name); found != reading_.bodies.end()) return found->second;
  check_is_there(name, node, what);
  std::vector<std::string> known = {"ground"};
  for (const model::Body& body : reading_.model.bodies) known.push_back(body.name);
  report().add(node, what + " is body \"" + name + "\", which is not defined.", suggest(name, known, "Bodies"));
  return model::ground;
}

void FieldReader::set(const FieldInfo& info, Node& node, model::BodyRef& value) {
  if (const auto name = scalars_.full_name(node, what_of(info))) value.index = body_named(*name, node, what_of(info));
}

namespace {

std::vector<std::string> coordinate_names(const model::Joint& joint) {
  std::vector<std::string> names;
  for (const model::Dof& dof : joint.shape.dofs) {
    if (dof.kind != model::Dof::Kind::ball) names.push_back(dof.name);
  }
  return names;
}

// The number of a scalar coordinate; a ball counts as three and has no name that can be given.
int coordinate_number(const model::Joint& joint, const std::string& name) {
  int number = 0;
  for (const model::Dof& dof : joint.shape.dofs) {
    const bool is_ball = dof.kind == model::Dof::Kind::ball;
    if (!is_ball && dof.name == name) return number;
    number += is_ball ? 3 : 1;
  }
  return -1;
}

}  // namespace

void FieldReader::set(const FieldInfo& info, Node& node, model::CoordinateRef& value) {
  const bool has_no_dot = node.is_text() && local_name(node.text).find('.') == std::string::npos;
  const auto text = scalars_.full_name(node, what_of(info));
  if (!text) return;
  // front.slide, of which front is a part
  const bool is_joint = has_no_dot || reading_.joints.count(*text) != 0;
  const std::size_t dot = is_joint ? std::string::npos : text->rfind('.');
  const std::string joint_name = text->substr(0, dot);
  const auto found = reading_.joints.find(joint_name);
  if (found == reading_.joints.end()) {
    check_is_there(joint_name, node, what_of(info));
    std::vector<std::string> known;
    for (const model::Joint& joint : reading_.model.joints) known.push_back(joint.name);
    report().add(node, what_of(info) + " is joint \"" + joint_name + "\", which is not defined or has no coordinates.",
                 suggest(joint_name, known, "Joints with coordinates"));
    return;
  }
  const model::Joint& joint = reading_.model.joints[static_cast<std::size_t>(found->second)];
  const std::vector<std::string> names = coordinate_names(joint);
  if (dot == std::string::npos && (names.size() != 1 || joint.shape.dofs.size() != 1)) {
    report().add(node, what_of(info) + " is joint \"" + joint.name + "\", which does not have exactly one coordinate.",
                 "Write joint.coordinate. " + suggest("", names, "Coordinates"));
    return;
  }
  value = {found->second, coordinate_number(joint, dot == std::string::npos ? names[0] : text->substr(dot + 1))};
  if (value.dof < 0) {
    report().add(node,
                 what_of(info) + " is \"" + *text + "\", but joint \"" + joint.name + "\" has no such coordinate.",
                 suggest(text->substr(dot + 1), names, "Coordinates"));
  }
  follow_coordinate(info, node, value);
}

}  // namespace skyhook::io::model_file
