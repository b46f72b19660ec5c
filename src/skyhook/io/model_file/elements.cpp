// Joints, forces and controllers: whatever the catalogue knows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/element/catalogue.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/model/on_road.h"

namespace skyhook::io::model_file {
namespace {

const element::ElementType* find_type(FieldReader& reader, const std::string& what, const std::string& section,
                                      Report& report) {
  if (const element::ElementType* only = element::only_type_of(section); only && !reader.has("type")) return only;
  ElementFields given;
  for_each_field(ElementFields::fields, given,
                 [&](const FieldInfo& info, auto& member) { reader.read(info, &member); });
  if (reader.has_failed()) return nullptr;
  if (const element::ElementType* type = element::find(section, given.type)) return type;
  std::vector<std::string> known;
  for (const element::ElementType& type : element::catalogue()) {
    if (type.section == section) known.push_back(type.name);
  }
  report.add(reader.where("type"),
             what + " has the type \"" + given.type + "\", which is not known under " + section + ".",
             suggest(given.type, known, "Types"));
  return nullptr;
}

struct Typed {
  Pending* thing;
  const element::ElementType* type;
};

// nullptr where it is not known; reported.
const element::ElementType* type_of(Pending& thing, const std::string& noun, Reading& reading) {
  const std::string what = noun + " \"" + thing.name + "\"";
  FieldReader reader(reading, thing.value, what, thing.name, thing.key, thing.scope);
  if (!thing.value.is_map()) {
    reading.report.add(thing.key, what + " should be a map of fields, but is " + kind_name(thing.value) + ".",
                       "Write {type: ..., field: value, ...}.");
    return nullptr;
  }
  return find_type(reader, what, noun + "s", reading.report);
}

// --set, `set:` and `nominal:` may name a field of an element: strut.preload.
void take_settings(const Typed& element, Reading& reading) {
  if (reading.part_settings.empty()) return;
  Pending& thing = *element.thing;
  for (const FieldInfo& info : element.type->fields) {
    const auto setting = reading.part_settings.find(thing.name + "." + info.name);
    if (setting == reading.part_settings.end()) continue;
    setting->second.is_used = true;
    reading.set_fields.insert(setting->first);
    Node value = setting->second.value;
    value.file = thing.key.file, value.line = thing.key.line, value.column = thing.key.column;
    if (Entry* entry = find(thing.value, info.name))
      entry->value = value;
    else
      thing.value.entries.push_back({text_node(info.name, thing.key), value});
  }
}

bool stands_on_plain_ground(const Node& fields) {
  const Entry* from = find(fields, "from");
  return from && from->value.is_text() && from->value.text == "ground" && !find(fields, "from_at");
}

// The origin of a part is where its points count from, mostly at the height of a wheel, not on the road.
void doubt_moved_road(const Pending& thing, Reading& reading) {
  const double height = thing.scope.placement.move.z;
  if (height == 0.0 || reading.model.contributions.empty()) return;
  const model::Contribution& added = reading.model.contributions.back();
  if (added.name != thing.name || !model::on_road(added)) return;
  reading.warn(
      "road_moved", reading.report.at(thing.key),
      fmt::format(
          "force \"{}\": `from: ground` is the ground of its part, which `move` puts {:.6g} m {}: its road lies there.",
          thing.name, std::abs(height), height > 0 ? "up" : "down"),
      "Let it stand on a road of the model, `road: $parent.road`; or say where its own lies, `from_at`.");
}

void read_element(const Typed& element, const std::string& noun, Reading& reading) {
  take_settings(element, reading);
  Pending& thing = *element.thing;
  const bool on_plain_ground = stands_on_plain_ground(thing.value);
  FieldReader reader(reading, thing.value, noun + " \"" + thing.name + "\"", thing.name, thing.key, thing.scope);
  std::vector<FieldInfo> known = infos_of(ElementFields::fields);
  known.insert(known.end(), element.type->fields.begin(), element.type->fields.end());
  for (const FieldInfo& info : infos_of(ConditionFields::fields)) known.push_back(info);
  reader.check_keys(known);
  if (!element.type->fields.empty()) reader.stop_after(element.type->fields.back().name);
  if (noun == "controller" && thing.scope.placement.sign != Vec3d{1, 1, 1})
    reading.warn("not_mirrored", reading.report.at(thing.key),
                 "controller \"" + thing.name + "\" stands in a mirrored part, but its law is not mirrored.",
                 "See that its inputs and outputs are the same on both sides, or give it the sign as a parameter.");
  const std::size_t joints = reading.model.joints.size();
  element.type->read(reader, reading.model);
  if (on_plain_ground) doubt_moved_road(thing, reading);
  for (std::size_t i = joints; i < reading.model.joints.size(); ++i) {
    reading.joints.emplace(reading.model.joints[i].name, static_cast<int>(i));
    reading.joint_signs.push_back(thing.scope.placement.sign);
  }
}

void try_element(const Typed& element, const std::string& noun, Reading& reading) {
  const std::size_t findings = reading.report.size();
  try {
    read_element(element, noun, reading);
    return;
  } catch (const Report::Known&) {
  } catch (const ModelError& error) {
    if (reading.report.size() == findings) reading.report.add(error);  // else it may only follow from what is reported
  }
  reading.failed.insert(element.thing->name);
}

Node read_section(std::vector<Level>& levels, const std::string& noun, Reading& reading) {
  auto things = things_of(levels, noun, reading);
  std::vector<Typed> elements;
  for (Pending& thing : things) {
    if (const element::ElementType* type = type_of(thing, noun, reading))
      elements.push_back({&thing, type});
    else
      reading.failed.insert(thing.name);
  }
  // Couplers refer to the coordinates of joints that may stand behind them in the file, and roads to those that they add.
  std::stable_partition(elements.begin(), elements.end(),
                        [](const Typed& e) { return !e.type->refers_to_coordinates && !find(e.thing->value, "add"); });
  for (const Typed& element : elements) try_element(element, noun, reading);
  return as_section(std::move(things), {});
}

}  // namespace

Node read_joints(std::vector<Level>& levels, Reading& reading) { return read_section(levels, "joint", reading); }
Node read_roads(std::vector<Level>& levels, Reading& reading) { return read_section(levels, "road", reading); }
Node read_tracks(std::vector<Level>& levels, Reading& reading) { return read_section(levels, "track", reading); }
Node read_profiles(std::vector<Level>& levels, Reading& reading) { return read_section(levels, "profile", reading); }

void name_single_road(Node& sections, Reading& reading) {
  Entry* single = find(sections, "road");
  if (!single || single->value.is_nothing()) return;
  const Entry named = *single;
  erase(sections, "road");
  if (!find(sections, "roads")) sections.entries.push_back({text_node("roads", named.key), map_node(named.key)});
  Node& roads = find(sections, "roads")->value;
  if (roads.is_nothing()) roads = map_node(named.key);
  if (roads.is_map() && find(roads, "road"))
    reading.report.add(named.key, "there is a road of the name \"road\" already, under `roads`.",
                       "Remove one of them.");
  else if (roads.is_map())
    roads.entries.push_back(named);
}

Node read_forces(std::vector<Level>& levels, Reading& reading) { return read_section(levels, "force", reading); }
Node read_controllers(std::vector<Level>& levels, Reading& reading) {
  return read_section(levels, "controller", reading);
}

}  // namespace skyhook::io::model_file
