// Initial values by coordinate: `crank.angle: 30 deg`, `crank.rate: 1 rad/s`.
#include <algorithm>
#include <optional>

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
    const bool is_angle = dof.kind == model::Dof::Kind::revolute;
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
  if (reading.failed.count(name) != 0) return nullptr;
  std::vector<std::string> known;
  for (const model::Joint& joint : reading.model.joints) known.push_back(joint.name);
  reading.report.add(key, what + ": joint \"" + name + "\" is not defined or has no coordinates.",
                     suggest(name, known, "Joints with coordinates"));
  return nullptr;
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

void read_value(const Instance& instance, const Entry& entry, Reading& reading, const std::string& what, Apply apply) {
  const std::size_t dot = instance.name.rfind('.');
  if (dot == std::string::npos) {
    reading.report.add(entry.key, what + ": \"" + instance.name + "\" does not name a coordinate.",
                       "Write joint.coordinate: value, for example crank.angle: 30 deg.");
    return;
  }
  model::Joint* joint = find_joint(instance.name.substr(0, dot), entry.key, what, reading);
  const auto slot =
      joint ? find_slot(*joint, instance.name.substr(dot + 1), entry.key, what, reading.report) : std::nullopt;
  if (!slot) return;
  Node copy = entry.value;
  const ScalarReader scalars(reading.report, reading.parameters, instance.indices);
  const auto value = scalars.number(copy, {what + ": " + instance.name, slot->unit, {}});
  if (value && apply == Apply::yes) (slot->is_rate ? joint->velocity : joint->position)[slot->number] = *value;
}

}  // namespace

void read_initial(const Node& map, Reading& reading, const std::string& what, Apply apply) {
  if (!map.is_map()) {
    reading.report.add(map, what + " should be a map, but is " + kind_name(map) + ".",
                       "Write joint.coordinate: value.");
    return;
  }
  const ScalarReader scalars(reading.report, reading.parameters, {});
  for (const Entry& entry : map.entries) {
    for (const Instance& instance : instances_of(entry.key, scalars, what))
      read_value(instance, entry, reading, what, apply);
  }
}

}  // namespace skyhook::io::model_file
