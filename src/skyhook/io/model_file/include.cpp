#include "skyhook/io/model_file/include.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/model_file/yaml_parser.h"

namespace skyhook::io::model_file {
namespace {

namespace fs = std::filesystem;

class Inclusion {
 public:
  explicit Inclusion(Reading& reading) : reading_(reading) {}
  void include_into(Node& root, const std::string& file);

 private:
  void include(Node& root, const Node& name);
  bool is_circle(const Node& name, const std::string& path) const;
  void check(Node& part, const std::string& path);
  void merge(Node& root, Node part);
  void merge_section(Entry& here, Entry& there, int own_file);
  bool includes(int file, int other) const;
  void report_twice(const Node& here, const Node& there);

  Reading& reading_;
  std::vector<std::string> trail_;
  std::map<std::string, int> done_;   // the number of each file read, by its path
  std::multimap<int, int> included_;  // by the number of the including file
};

std::string normal(const fs::path& path) { return path.lexically_normal().string(); }

void Inclusion::include_into(Node& root, const std::string& file) {
  const Entry* entry = find(root, "include");
  if (!entry) return;
  const Node list = entry->value;
  erase(root, "include");
  trail_.push_back(normal(file));
  if (list.is_text()) include(root, list);
  if (!list.is_text() && !list.is_list()) {
    reading_.report.add(list, std::string("include should be a list of files, but is ") + kind_name(list) + ".",
                        "Write include: [parts/corner.yaml].");
  }
  for (const Node& name : list.items) include(root, name);
  trail_.pop_back();
}

void Inclusion::include(Node& root, const Node& name) {
  if (!name.is_text() || name.text.empty()) {
    reading_.report.add(name, std::string("include: a file is named by a text, but here is ") + kind_name(name) + ".",
                        "Write include: [parts/corner.yaml].");
    return;
  }
  const NamedFile found = find_file(reading_, name, "include");
  if (is_circle(name, found.path)) throw Report::Known{};
  const auto [file, is_new] = done_.try_emplace(found.path);
  if (is_new) file->second = reading_.report.add_file(found.path);
  included_.emplace(root.file, file->second);
  if (!is_new) return;
  reading_.model.files.push_back(found.path);
  Node part = parse_yaml(found.bytes, found.path, reading_.report, file->second);
  check(part, found.path);
  include_into(part, found.path);
  merge(root, std::move(part));
}

bool Inclusion::is_circle(const Node& name, const std::string& path) const {
  const auto first = std::find(trail_.begin(), trail_.end(), path);
  if (first == trail_.end()) return false;
  std::string circle;
  for (auto file = first; file != trail_.end(); ++file) circle += *file + " -> ";
  reading_.report.add(name, "include: the files include each other in a circle: " + circle + path + ".",
                      "Remove one of the includes.");
  return true;
}

// The same sections as a model, in the same version of the language.
void Inclusion::check(Node& part, const std::string& path) {
  FieldReader reader(reading_, part, "the file", "", part);
  reader.check_keys(infos_of(FileFields::fields));
  const Entry* version = find(part, "skyhook");
  if (!version || version->value.text != "1") {
    reading_.report.add(version ? version->value : part, "the included file " + path + " needs \"skyhook: 1\".",
                        "Add it as the first line.");
  }
  if (const Entry* ignored = find(part, "ignore_warnings"); ignored && !ignored->value.is_nothing())
    reading_.report.add(ignored->key, "ignore_warnings stands in an included file, but would silence the whole model.",
                        "Write it in the model file, " + reading_.model.file + ".");
}

void Inclusion::merge(Node& root, Node part) {
  for (Entry& there : part.entries) {
    const std::string& key = there.key.text;
    if (key == "skyhook" || key == "name" || key == "description" || there.value.is_nothing()) continue;
    Entry* here = find(root, key);
    if (!here)
      root.entries.push_back(std::move(there));
    else
      merge_section(*here, there, root.file);
  }
}

// Itself, or through others.
bool Inclusion::includes(int file, int other) const {
  const auto [first, last] = included_.equal_range(file);
  return std::any_of(first, last, [&](const auto& i) { return i.second == other || includes(i.second, other); });
}

void Inclusion::merge_section(Entry& here, Entry& there, int own_file) {
  Node &to = here.value, &from = there.value;
  if (to.is_nothing()) {
    to = std::move(from);
  } else if (to.is_list() && from.is_list()) {
    for (Node& item : from.items) to.items.push_back(std::move(item));
  } else if (to.is_map() && from.is_map()) {
    for (Entry& entry : from.entries) {
      Entry* known = find(to, entry.key.text);
      const bool is_parameter = here.key.text == "parameters";
      if (!known)
        to.entries.push_back(std::move(entry));
      else if (is_parameter && includes(entry.key.file, known->key.file))  // and so adapts it
        *known = std::move(entry);
      else if (!is_parameter || known->key.file != own_file)
        report_twice(known->key, entry.key);
    }
  } else {
    report_twice(here.key, there.key);
  }
}

void Inclusion::report_twice(const Node& here, const Node& there) {
  const Location other = reading_.report.at(here);
  reading_.report.add(there,
                      "\"" + there.text + "\" stands here and in " + other.file + ":" + std::to_string(other.line) +
                          ", and the two files make one model.",
                      "Remove or rename one of the two.");
}

}  // namespace

void merge_includes(Node& root, Reading& reading) { Inclusion(reading).include_into(root, reading.model.file); }

}  // namespace skyhook::io::model_file
