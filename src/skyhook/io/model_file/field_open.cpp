// The fields of elements whose law stands in a file of its own: its name, and numbers that only it knows.
#include <fmt/format.h>

#include <algorithm>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/named_file.h"

namespace skyhook::io::model_file {

// That the file is not there is told by whoever needs it: a model can be read, checked by editors and expanded without.
void FieldReader::set(const FieldInfo& info, Node& node, model::FileRef& value) {
  if (!scalars_.take_text(node, what_of(info))) return;
  const std::vector<std::string> places = places_of(reading_, node);
  const auto is_there = [&](const std::string& path) {
    return reading_.files.open && reading_.files.open(path).has_value();
  };
  const auto found = std::find_if(places.begin(), places.end(), is_there);
  value.name = node.text;
  value.path = found == places.end() ? places.front() : *found;
  value.tried = fmt::format("{}", fmt::join(places, ", "));
  auto& files = reading_.model.files;
  if (found != places.end() && std::find(files.begin(), files.end(), value.path) == files.end())
    files.push_back(value.path);
  node.text = name_in_expanded(reading_, node.text, value.path);
}

// The expanded model has the text in place of the name, since it stands in results without the file. A name has one line.
void FieldReader::set(const FieldInfo& info, Node& node, model::TextFile& value) {
  if (!scalars_.take_text(node, what_of(info))) return;
  if (node.text.find('\n') != std::string::npos) {
    value = {what_of(info), node.text};
    return;
  }
  NamedFile file = read_file(reading_, node, what_of(info));
  node.text = file.bytes + (file.bytes.ends_with('\n') ? "" : "\n");
  node.quoted = true;
  value = {std::move(file.path), node.text};
}

void FieldReader::set(const FieldInfo& info, Node& node, model::OpenValues& value) {
  if (!node.is_map()) {
    report().add(node, what_of(info) + " should be a map, but is " + kind_name(node) + ".",
                 "Write {name: value, ...}.");
    return;
  }
  for (Entry& entry : node.entries) {
    own_variables_ += " " + entry.key.text + ":-";
    const std::string what = what_of(info) + ": " + entry.key.text;
    const auto read = scalars_.value(entry.value, {what, info.unit, {}});
    if (!read) continue;
    value.push_back({entry.key.text, entry.value.text, read->value, read->dimension, report().at(entry.value)});
    const bool has_unit = !read->dimension.is_dimensionless();
    entry.value.text = fmt::format("{}{}", read->value, has_unit ? " " + to_string(read->dimension) : "");
    entry.value.quoted = false;
  }
}

}  // namespace skyhook::io::model_file
