#include <algorithm>
#include <cctype>

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

bool is_free(const std::string& name, const Node& key, const std::string& noun, Reading& reading) {
  if (name == "ground") {
    reading.report.add(key, noun + " \"ground\": this name belongs to the ground itself.", "Choose another name.");
    return false;
  }
  const auto [owner, is_new] = reading.names.try_emplace(name, Reading::Owner{noun, key.line});
  if (!is_new) {
    reading.report.add(key,
                       noun + " \"" + name + "\": there is a " + owner->second.noun +
                           " of this name already, in line " + std::to_string(owner->second.line) + ".",
                       "Bodies, markers, joints and forces share one set of names, because their channels are called "
                       "after them: rename one.");
  }
  return is_new;
}

void count(const Node& copy, const Node& key, Reading& reading) {
  if ((reading.nodes += 1 + count_nodes(copy)) > most_nodes) {
    throw ModelError(reading.report.at(key),
                     "the model holds more than a million values once its repeats are unrolled.",
                     "Check the parameters that give the numbers of repeats.");
  }
}

}  // namespace

std::vector<Pending> things_of(Node& section, const std::string& noun, Reading& reading, const std::string& prefix,
                               const std::vector<Index>& indices) {
  std::vector<Pending> things;
  if (section.is_nothing()) return things;
  if (!section.is_map()) {
    reading.report.add(section,
                       "a map of " + plural(noun) + " by name is expected here, but it is " + kind_name(section) + ".",
                       "Write name: {field: value, ...}.");
    return things;
  }
  const ScalarReader scalars(reading.report, reading.parameters, indices);
  for (const Entry& entry : section.entries) {
    std::vector<Instance> instances;
    try {
      instances = instances_of(entry.key, scalars, noun + " \"" + entry.key.text + "\"");
    } catch (const Report::Known&) {
      continue;
    }
    for (Instance& instance : instances) {
      if (!is_name(instance.name)) {
        reading.report.add(entry.key, noun + " \"" + instance.name + "\" has a name that cannot be used.",
                           "Use letters, digits, _ and -; name[i=1..N] repeats.");
        break;
      }
      count(entry.value, entry.key, reading);
      if (!is_free(prefix + instance.name, entry.key, noun, reading)) continue;
      things.push_back(
          {prefix + instance.name, std::move(instance.indices), text_node(instance.name, entry.key), entry.value});
    }
  }
  return things;
}

Node as_section(std::vector<Pending> things, const Node& place) {
  Node map = map_node(place);
  for (Pending& thing : things) map.entries.push_back({std::move(thing.key), std::move(thing.value)});
  return map;
}

}  // namespace skyhook::io::model_file
