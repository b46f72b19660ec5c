// The fields of tracks and of what runs on them.
#include "skyhook/io/model_file/field_reader.h"

namespace skyhook::io::model_file {

// Tracks are read before what runs on them.
void FieldReader::set(const FieldInfo& info, Node& node, model::TrackRef& value) {
  const auto name = scalars_.full_name(node, what_of(info));
  if (!name) return;
  std::vector<std::string> known;
  for (const model::Track& track : reading_.model.tracks) {
    if (track.name == *name) value.index = static_cast<int>(known.size());
    known.push_back(track.name);
  }
  if (value.index >= 0) return;
  check_is_there(*name, node, what_of(info));
  report().add(node, what_of(info) + " is track \"" + *name + "\", which is not defined.",
               known.empty() ? "Add a track under `tracks`." : suggest(*name, known, "Tracks"));
}

template <class Item>
void FieldReader::set_list(const FieldInfo& info, Node& node, const char* advice, std::vector<Item>& value) {
  if (!node.is_list()) {
    report().add(node, what_of(info) + " should be a list, but is " + kind_name(node) + ".", advice);
    return;
  }
  for (Node& item : node.items) {
    FieldReader reader = inner(item, info);
    Item& read = value.emplace_back();
    read.where = report().at(item);
    read_described(reader, read);
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<model::TrackSegment>& value) {
  set_list(info, node, "Write [{type: straight, length: 50 m}, ...].", value);
}

void FieldReader::set(const FieldInfo& info, Node& node, std::vector<model::GradientChange>& value) {
  set_list(info, node, "Write [{at: 200 m, gradient: 0.01, radius: 5000 m}, ...].", value);
}

void FieldReader::set(const FieldInfo& info, Node& node, model::IrregularityChoice& value) {
  FieldReader reader = inner(node, info);
  value.where = report().at(node);
  read_described(reader, value);
}

}  // namespace skyhook::io::model_file
