// Initial values by coordinate, inner state or shape of a flexible body: `crank.angle: 30 deg`, `crank.rate: 1 rad/s`, `strut.pressure: 3 MPa`,
// `rod.mode_2: 1 mm`.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "skyhook/io/model_file/mirror.h"
#include "skyhook/io/model_file/plausibility.h"
#include "skyhook/io/model_file/repeat.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::io::model_file {
namespace {

struct Slot {
  std::string name;
  std::size_t number;  // of the scalar coordinate
  bool is_rate;
  const char* unit;
};

// All values of a joint that can be given. The rate of `c` is called c_rate; a single one also plain `rate`. A ball has
// Cardan angles and an angular velocity, which is not their rate.
std::vector<Slot> slots_of(const model::Joint& joint) {
  std::vector<Slot> slots;
  std::size_t number = 0;
  for (const model::Dof& dof : joint.shape.dofs) {
    if (dof.kind == model::Dof::Kind::ball) {
      for (const char axis : {'x', 'y', 'z'}) {
        slots.push_back({std::string("angle_") + axis, number, false, "rad"});
        slots.push_back({std::string("angular_velocity_") + axis, number++, true, "rad/s"});
      }
      continue;
    }
    const bool is_angle = dof.is_angle();
    slots.push_back({dof.name, number, false, is_angle ? "rad" : "m"});
    slots.push_back({dof.name + "_rate", number, true, is_angle ? "rad/s" : "m/s"});
    if (joint.shape.dofs.size() == 1) slots.push_back({"rate", number, true, is_angle ? "rad/s" : "m/s"});
    ++number;
  }
  return slots;
}

// Of an element: its inner states, and coordinates of its own with their rates.
std::vector<Slot> slots_of(const model::Contribution& element, std::vector<std::string>& units) {
  std::vector<Slot> slots;
  units.clear();
  units.reserve(2 * model::most_contact_variables + 64);
  const auto add = [&](const std::string& name, const std::string& unit, bool is_rate) {
    units.push_back(unit);
    slots.push_back({name, slots.size(), is_rate, nullptr});
  };
  if (element.inner) {
    for (const model::InnerState& state : element.inner->states()) add(state.name, state.unit, false);
  }
  if (element.law) {
    for (const model::InnerState& state : element.law->declared().states) add(state.name, state.unit, false);
    for (const model::OwnCoordinate& own : element.law->declared().coordinates)
      add(own.name, own.unit, false), add(own.name + "_rate", own.unit + "/s", true);
  }
  for (std::size_t k = 0; k < slots.size(); ++k) slots[k].unit = units[k].c_str();
  return slots;
}

// One that has inner states or coordinates of its own; null: there is none of this name.
model::Contribution* find_element(const std::string& name, Reading& reading) {
  auto& all = reading.model.contributions;
  const auto found = std::ranges::find(all, name, &model::Contribution::name);
  std::vector<std::string> units;
  return found == all.end() || slots_of(*found, units).empty() ? nullptr : &*found;
}

model::Joint* find_joint(const std::string& name, const Node& key, const std::string& what, Reading& reading) {
  const auto found = reading.joints.find(name);
  if (found != reading.joints.end()) return &reading.model.joints[static_cast<std::size_t>(found->second)];
  if (reading.has_failed(name)) return nullptr;
  std::vector<std::string> known;
  for (const model::Joint& joint : reading.model.joints) known.push_back(joint.name);
  reading.report.add(key, what + ": joint \"" + name + "\" is not defined or has no coordinates.",
                     suggest(name, known, "Joints with coordinates"));
  return nullptr;
}

bool has_slot(const std::string& joint, const std::string& name, const Reading& reading) {
  const auto found = reading.joints.find(joint);
  if (found == reading.joints.end()) return false;
  const model::Joint& j = reading.model.joints[static_cast<std::size_t>(found->second)];
  const auto slots = slots_of(j);
  return std::any_of(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == name && !j.drive[s.number]; });
}

std::optional<Slot> find_slot(const model::Joint& joint, const std::string& name, const Node& key,
                              const std::string& what, Report& report) {
  const auto slots = slots_of(joint);
  const auto slot = std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == name; });
  if (slot == slots.end()) {
    std::vector<std::string> known;
    for (const Slot& s : slots) known.push_back(s.name);
    report.add(key, what + ": joint \"" + joint.name + "\" has no coordinate or rate \"" + name + "\".",
               suggest(name, known, "Values of this joint"));
    return {};
  }
  if (joint.drive[slot->number]) {
    report.add(key, what + ": joint \"" + joint.name + "\" is driven, so \"" + name + "\" cannot be given.",
               "Remove it: the drive gives the value.");
    return {};
  }
  return *slot;
}

// False where a level further out gives the value already, or this one the same.
bool is_new(const InitialValues::key_type& key, const std::string& name, const InitialValue& given, Reading& reading,
            const std::string& what, InitialValues& known) {
  const auto [entry, is_first] = known.try_emplace(key, given);
  const InitialValue& before = entry->second;
  const bool is_further_out = given.prefix != before.prefix && given.prefix.starts_with(before.prefix);
  if (!is_first && !is_further_out && given.value != before.value) {
    reading.report.add(given.where,
                       fmt::format("{}: {} is {} here, but {} in {}:{}.", what, name, given.value, before.value,
                                   before.where.file, before.where.line),
                       "Remove one of the two, or give the value in the model or part that holds both.");
  }
  return is_first;
}

// The joint says another one, in the same file and on the same level: whoever overrides it from outside, or in an experiment, means to.
void doubt_second_value(const model::Joint& joint, const Slot& slot, const std::string& name, const Node& text,
                        const InitialValue& given, Reading& reading) {
  const std::optional<double>& own = (slot.is_rate ? joint.velocity : joint.position)[slot.number];
  const Location& where = (slot.is_rate ? joint.velocity_where : joint.position_where)[slot.number];
  if (!joint.name.starts_with(given.prefix)) return;
  const std::string local = joint.name.substr(given.prefix.size());
  const bool is_one_of_many = local.ends_with(']');
  if (!own || *own == given.value || where.file != given.where.file || local.find('.') != std::string::npos ||
      is_one_of_many)
    return;
  reading.warn("two_initial_values", where,
               fmt::format("joint \"{}\" begins with {:.6g} {} here, but initial: {} in line {} says {}, which holds.",
                           joint.name, *own, slot.unit, name, given.where.line, text.text),
               "Remove one of the two.");
}

// The sign that the value takes in a mirrored part.
double mirror_sign(const std::string& name, const Slot& slot, const Scope& scope, const Node& key, Reading& reading,
                   const std::string& what) {
  const int joint = reading.joints.at(name.substr(0, name.rfind('.')));
  const auto sign = coordinate_sign(reading, scope, joint, slot.number);
  if (!sign) {
    reading.report.add(key,
                       what + ": " + name +
                           " is a coordinate outside of the mirrored part, and its axis lies neither along nor across "
                           "the mirror plane.",
                       "Put the joint into the template, or give the value where the joint stands.");
  }
  return sign.value_or(1.0);
}

// Of an inner state. Elements have no sign in a mirrored part: what they have inside is a length along their line, a pressure, a force.
std::optional<Node> read_state(model::Contribution& element, const std::string& name, const Instance& instance,
                               const Entry& entry, Reading& reading, const std::string& what, Apply apply,
                               InitialValues& known) {
  std::vector<std::string> units, names;
  const std::vector<Slot> slots = slots_of(element, units);
  const std::string state = name.substr(name.rfind('.') + 1);
  for (const Slot& slot : slots) names.push_back(slot.name);
  const auto slot = std::ranges::find(slots, state, &Slot::name);
  if (slot == slots.end()) {
    reading.report.add(entry.key,
                       what + ": " + element.type + " \"" + element.name + "\" has no state \"" + state + "\".",
                       suggest(state, names, "States of this element"));
    return {};
  }
  Node copy = entry.value;
  const ScalarReader scalars(reading.report, reading.parameters, instance.scope);
  const auto value = scalars.number(copy, {what + ": " + name, slot->unit, {}});
  if (!value) return {};
  const int number = static_cast<int>(model::number_of(reading.model, element));
  const InitialValue given{*value, instance.scope.prefix, reading.report.at(entry.key)};
  if (!is_new({-1 - number, slot->number, slot->is_rate}, name, given, reading, what, known)) return {};
  if (apply == Apply::yes) {  // the experiment wins over the model
    std::erase_if(element.initial, [&](const auto& before) { return before.name == state; });
    element.initial.push_back({state, *value});
  }
  return copy;
}

// One that bends; null: there is none of this name.
model::Body* find_bending(const std::string& name, Reading& reading) {
  const auto found = reading.bodies.find(name);
  if (found == reading.bodies.end()) return nullptr;
  model::Body& body = reading.model.bodies[static_cast<std::size_t>(found->second)];
  return body.modal && body.modal->modes > 0 ? &body : nullptr;
}

std::vector<Slot> slots_of(const model::ModalBody& body) {
  std::vector<Slot> slots;
  for (std::size_t k = 0; k < static_cast<std::size_t>(body.modes); ++k) {
    const std::string name = body.mode_names.empty() ? fmt::format("mode_{}", k + 1) : body.mode_names[k];
    slots.push_back({name, k, false, "m"});
    slots.push_back({name + "_rate", k, true, "m/s"});
  }
  return slots;
}

std::optional<Node> read_shape(model::Body& body, const std::string& name, const Instance& instance, const Entry& entry,
                               Reading& reading, const std::string& what, Apply apply, InitialValues& known) {
  const std::string shape = name.substr(name.rfind('.') + 1);
  std::vector<std::string> names;
  const std::vector<Slot> slots = slots_of(*body.modal);
  for (const Slot& slot : slots) names.push_back(slot.name);
  const auto slot = std::ranges::find(slots, shape, &Slot::name);
  if (slot == slots.end() && apply == Apply::unchecked) return entry.value;
  if (slot == slots.end()) {
    reading.report.add(entry.key, fmt::format("{}: body \"{}\" has no shape \"{}\".", what, body.name, shape),
                       suggest(shape, names, "Shapes of this body, and their rates"));
    return {};
  }
  if (instance.scope.placement.is_mirrored()) {
    reading.report.add(entry.key, what + ": " + name + " stands in a mirrored part, in which a shape has another sign.",
                       "Give it in the model: its shapes are those that `skyhook flex` prints.");
    return {};
  }
  Node copy = entry.value;
  const auto value = ScalarReader(reading.report, reading.parameters, instance.scope)
                         .number(copy, {what + ": " + name, slot->unit, {}});
  if (!value) return {};
  const int number = -1 - static_cast<int>(reading.model.contributions.size()) - reading.bodies.at(body.name);
  const InitialValue given{*value, instance.scope.prefix, reading.report.at(entry.key)};
  if (!is_new({number, slot->number, slot->is_rate}, name, given, reading, what, known)) return {};
  if (apply == Apply::yes) {
    std::vector<double>& values = slot->is_rate ? body.modal_velocity : body.modal_position;
    values.resize(static_cast<std::size_t>(body.modal->modes), 0.0);
    values[slot->number] = *value;
  }
  return copy;
}

// The value as it stands in the expanded model, or nothing.
std::optional<Node> read_value(const std::string& name, const Instance& instance, const Entry& entry, Reading& reading,
                               const std::string& what, Apply apply, InitialValues& known) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || local_name(instance.name).find('.') == std::string::npos) {
    reading.report.add(entry.key, what + ": \"" + name + "\" does not name a coordinate.",
                       "Write joint.coordinate: value, for example crank.angle: 30 deg.");
    return {};
  }
  if (reading.switched_off(name.substr(0, dot))) return {};
  if (model::Contribution* element = find_element(name.substr(0, dot), reading))
    return read_state(*element, name, instance, entry, reading, what, apply, known);
  if (model::Body* body = find_bending(name.substr(0, dot), reading))
    return read_shape(*body, name, instance, entry, reading, what, apply, known);
  if (apply == Apply::unchecked && !has_slot(name.substr(0, dot), name.substr(dot + 1), reading)) return entry.value;
  model::Joint* joint = find_joint(name.substr(0, dot), entry.key, what, reading);
  const auto slot = joint ? find_slot(*joint, name.substr(dot + 1), entry.key, what, reading.report) : std::nullopt;
  if (!slot) return {};
  Node copy = entry.value;
  const ScalarReader scalars(reading.report, reading.parameters, instance.scope);
  auto value = scalars.number(copy, {what + ": " + name, slot->unit, {}});
  if (!value) return {};
  if (mirror_sign(name, *slot, instance.scope, entry.key, reading, what) < 0.0) {
    value = -*value;
    copy.text = fmt::format("{}", *value);
  }
  doubt_angle({entry.value.text, instance.scope}, copy, *value, slot->unit, what + ": " + name, reading);
  const InitialValue given{*value, instance.scope.prefix, reading.report.at(entry.key)};
  const int number = reading.joints.at(joint->name);
  if (!is_new({number, slot->number, slot->is_rate}, name, given, reading, what, known)) return {};
  if (apply == Apply::yes) {
    if (what == section_of_model) doubt_second_value(*joint, *slot, name, entry.value, given, reading);
    (slot->is_rate ? joint->velocity : joint->position)[slot->number] = *value;
    (slot->is_rate ? joint->velocity_where : joint->position_where)[slot->number] = given.where;
  }
  return copy;
}

}  // namespace

Node read_initial(const Node& map, const Scope& scope, Reading& reading, const std::string& what, Apply apply,
                  InitialValues& known) {
  Node expanded = map_node(map);
  if (!map.is_map()) {
    reading.report.add(map, what + " should be a map, but is " + kind_name(map) + ".",
                       "Write joint.coordinate: value.");
    return expanded;
  }
  const ScalarReader scalars(reading.report, reading.parameters, scope);
  for (const Entry& entry : map.entries) {
    for (const Instance& instance : instances_of(entry.key, scalars, what)) {
      count(entry.value, entry.key, reading);
      Node name = text_node(instance.name, entry.key);
      if (!scalars.full_name(name, what)) continue;
      auto value = read_value(name.text, instance, entry, reading, what, apply, known);
      if (value) expanded.entries.push_back({std::move(name), std::move(*value)});
    }
  }
  return expanded;
}

}  // namespace skyhook::io::model_file
