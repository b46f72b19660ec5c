// The fields of roads and of what stands on them.
#include <fmt/format.h>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/road/crg.h"

namespace skyhook::io::model_file {

// Roads are read before what stands on them.
void FieldReader::set(const FieldInfo& info, Node& node, model::RoadRef& value) {
  const auto name = scalars_.full_name(node, what_of(info));
  if (!name) return;
  std::vector<std::string> known;
  for (const model::Road& road : reading_.model.roads) {
    if (road.name == *name) value.index = static_cast<int>(known.size());
    known.push_back(road.name);
  }
  if (value.index >= 0) return;
  check_is_there(*name, node, what_of(info));
  report().add(node, what_of(info) + " is road \"" + *name + "\", which is not defined, or not before this one.",
               known.empty() ? "Add a road under `roads`." : suggest(*name, known, "Roads"));
}

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<model::RoadRef>& value) {
  if (!node.is_list()) {
    report().add(node, what_of(info) + " should be a list, but is " + kind_name(node) + ".", "Write [name, ...].");
    return;
  }
  for (Node& item : node.items) set(info, item, value.emplace_back());
}

namespace {

bool set_range(const std::vector<double>& given, double& first, double& last) {
  if (given.empty()) return true;
  if (given.size() != 2 || !(given[0] < given[1])) return false;
  first = given[0], last = given[1];
  return true;
}

}  // namespace

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<model::Patch>& value) {
  if (!node.is_list()) {
    report().add(node, what_of(info) + " should be a list, but is " + kind_name(node) + ".",
                 "Write [{x: [from, to], y: [from, to], friction: 0.1}, ...].");
    return;
  }
  for (Node& item : node.items) {
    PatchFields given;
    FieldReader reader = inner(item, info);
    read_described(reader, given);
    model::Patch& patch = value.emplace_back();
    patch.friction = given.friction;
    if (!set_range(given.x, patch.x_first, patch.x_last) || !set_range(given.y, patch.y_first, patch.y_last))
      report().add(item, what_of(info) + ": x or y is no range.", "Write [from, to], from below to.");
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, std::shared_ptr<const model::RoadGrid>& value) {
  if (!scalars_.take_text(node, what_of(info))) return;
  const NamedFile file = read_file(reading_, node, what_of(info));
  road::CrgFile crg = road::read_crg(file.bytes, file.path);
  if (crg.filled > 0)
    reading_.warn(
        "road_holes", report().at(node),
        fmt::format("{}: {} of {} heights are missing in the file.", what_of(info), crg.filled, crg.grid.z.size()),
        "They are taken from their neighbours across.");
  if (!crg.ignored.empty())
    reading_.warn(
        "road_options", report().at(node),
        fmt::format("{}: options of the file have no effect here: {}.", what_of(info), fmt::join(crg.ignored, ", ")),
        "The grid is read, with its border modes.");
  value = std::make_shared<const model::RoadGrid>(std::move(crg.grid));
  node.text = name_in_expanded(reading_, node.text, file.path);
}

}  // namespace skyhook::io::model_file
