// Initial values by coordinate: `crank.angle: 30 deg`, `crank.rate: 1 rad/s`.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "skyhook/io/model_file/mirror.h"
#include "skyhook/io/model_file/plausibility.h"
#include "skyhook/io/model_file/repeat.h"
#include "skyhook/io/model_file/sections.h"

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
bool is_new(const std::string& name, const Slot& slot, const InitialValue& given, Reading& reading,
            const std::string& what, InitialValues& known) {
  const int joint = reading.joints.at(name.substr(0, name.rfind('.')));
  const auto [entry, is_first] = known.try_emplace({joint, slot.number, slot.is_rate}, given);
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
  if (!is_new(name, *slot, given, reading, what, known)) return {};
  if (apply == Apply::yes) {
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
