#include <algorithm>
#include <cctype>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/repeat.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/io/model_file/yaml_parser.h"

namespace skyhook::io::model_file {
namespace {

// Letters, digits, _ and -, then perhaps [3]. A dot separates a thing from its channels and markers.
bool is_name(const std::string& text) {
  const std::string stem = text.substr(0, text.find('['));
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c >= 128; };
  if (stem.empty() || !std::all_of(stem.begin(), stem.end(), fits) || stem[0] == '-') return false;
  return stem.size() == text.size() || text.find(']') == text.size() - 1;
}

std::string plural(const std::string& noun) { return noun == "body" ? "bodies" : noun + "s"; }

// "line 3", with the file where it is another
std::string line_text(const Location& where, const Location& here) {
  const std::string line = "line " + std::to_string(where.line);
  return where.file == here.file ? line : line + " of " + where.file;
}

bool is_free(const std::string& name, const Node& key, const std::string& noun, Reading& reading) {
  if (name == "ground") {
    reading.report.add(key, noun + " \"ground\": this name belongs to the ground itself.", "Choose another name.");
    return false;
  }
  const auto [owner, is_new] = reading.names.try_emplace(name, Reading::Owner{noun, reading.report.at(key)});
  if (!is_new) {
    reading.report.add(key,
                       noun + " \"" + name + "\": there is a " + owner->second.noun + " of this name already, in " +
                           line_text(owner->second.where, reading.report.at(key)) + ".",
                       "Bodies, markers, sensors, joints, roads, tracks, forces, controllers and signals share one set "
                       "of names, because their "
                       "channels are called "
                       "after them: rename one.");
  }
  return is_new;
}

}  // namespace

void count(const Node& copy, const Node& key, Reading& reading) {
  if ((reading.nodes += 1 + count_nodes(copy)) > most_nodes) {
    throw ModelError(reading.report.at(key),
                     "the model holds more than a million values once its repeats are unrolled.",
                     "Check the parameters that give the numbers of repeats.");
  }
}

namespace {

// Takes the `if` out. False: the thing is switched off.
bool is_on(Pending& thing, const std::string& noun, Reading& reading) {
  const char* key = std::get<0>(ConditionFields::fields).name;
  if (!thing.value.is_map() || !find(thing.value, key)) return true;
  ConditionFields given;
  FieldReader reader(reading, thing.value, noun + " \"" + thing.name + "\"", thing.name, thing.key, thing.scope);
  for_each_field(ConditionFields::fields, given,
                 [&](const FieldInfo& info, auto& member) { reader.read(info, &member); });
  const Location where = reader.where(key);
  erase(thing.value, key);
  if (reader.has_failed()) throw Report::Known{};
  if (!given.is_on) reading.off.emplace(thing.name, Reading::Off{noun, thing.name, where});
  return given.is_on;
}

bool has_name(const std::string& name, const Scope& scope, const std::string& owner) {
  if (!owner.empty() || !scope.prefix.empty()) return is_name(name);
  std::size_t begin = 0;  // an expanded model has the things of its parts by their full names
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
    if (!is_name(name.substr(begin, dot - begin))) return false;
    begin = dot + 1;
  }
  return is_name(name.substr(begin));
}

}  // namespace

std::vector<Pending> things_of(Node& section, const std::string& noun, Reading& reading, const Scope& scope,
                               const std::string& owner, std::vector<Pending>* off) {
  std::vector<Pending> things;
  if (section.is_nothing()) return things;
  if (!section.is_map()) {
    reading.report.add(section,
                       "a map of " + plural(noun) + " by name is expected here, but it is " + kind_name(section) + ".",
                       "Write name: {field: value, ...}.");
    return things;
  }
  const ScalarReader scalars(reading.report, reading.parameters, scope);
  const auto add = [&](Instance& instance, const Entry& entry, Node value) {
    count(value, entry.key, reading);
    const std::string name = (owner.empty() ? scope.prefix : owner + ".") + instance.name;
    const std::string& key = owner.empty() ? name : instance.name;
    Pending thing{name, std::move(instance.scope), text_node(key, entry.key), std::move(value)};
    try {
      const bool is_here = is_on(thing, noun, reading);
      if (is_here && is_free(name, entry.key, noun, reading)) things.push_back(std::move(thing));
      if (!is_here && off) off->push_back(std::move(thing));
    } catch (const Report::Known&) {
      reading.failed.insert(name);
    }
  };
  for (Entry& entry : section.entries) {
    std::vector<Instance> instances;
    try {
      instances = instances_of(entry.key, scalars, noun + " \"" + entry.key.text + "\"");
    } catch (const Report::Known&) {
      continue;
    }
    for (Instance& instance : instances) {
      if (!has_name(instance.name, scope, owner)) {
        reading.report.add(entry.key, noun + " \"" + instance.name + "\" has a name that cannot be used.",
                           "Use letters, digits, _ and -; name[i=1..N] repeats.");
        break;
      }
      add(instance, entry, &instance == &instances.back() ? std::move(entry.value) : Node(entry.value));
    }
  }
  return things;
}

std::vector<Pending> things_of(std::vector<Level>& levels, const std::string& noun, Reading& reading) {
  std::vector<Pending> all;
  for (Level& level : levels) {
    Entry* section = find(level.sections, plural(noun));
    if (!section) continue;
    for (Pending& thing : things_of(section->value, noun, reading, level.scope)) all.push_back(std::move(thing));
  }
  return all;
}

Node as_section(std::vector<Pending> things, const Node& place) {
  Node map = map_node(place);
  for (Pending& thing : things) map.entries.push_back({std::move(thing.key), std::move(thing.value)});
  return map;
}

}  // namespace skyhook::io::model_file
