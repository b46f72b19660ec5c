#include "skyhook/io/model_file/checks.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "skyhook/base/wildcard.h"
#include "skyhook/io/model_file/scalar.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::io::model_file {
namespace {

// Disjoint sets with path halving.
class Groups {
 public:
  explicit Groups(std::size_t size) : leader_(size) { std::iota(leader_.begin(), leader_.end(), std::size_t{0}); }
  std::size_t leader(std::size_t i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { leader_[leader(a)] = leader(b); }

 private:
  std::vector<std::size_t> leader_;
};

using Names = std::unordered_set<std::string>;

void add_identifiers(const std::string& text, Names& names) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    if (end > i) names.insert(text.substr(i, end - i));
    i = end + 1;
  }
}

void add_used(const std::string& text, Names& names) {
  if (is_expression(text)) {
    add_identifiers(text, names);
  } else if (const std::size_t open = text.find_first_of("[$");
             open != std::string::npos) {  // link[i-1], $parent.$driver
    add_identifiers(text.substr(open), names);
  }
}

void collect(const Node& node, Names& names) {
  if (node.is_text()) add_used(node.text, names);
  for (const Node& item : node.items) collect(item, names);
  for (const Entry& entry : node.entries) {
    add_used(entry.key.text, names);
    collect(entry.value, names);
  }
}

void warn_of_unused_parameters_of(const Entry& definition, Reading& reading) {
  const Entry* parameters = find(definition.value, "parameters");
  if (!parameters) return;
  Names used;
  collect(definition.value, used);
  for (const Entry& entry : parameters->value.entries) {
    if (used.count(entry.key.text) == 0)
      reading.warn("unused", reading.report.at(entry.key),
                   "parameter \"" + entry.key.text + "\" of template \"" + definition.key.text + "\" is used nowhere.");
  }
}

// Words of all values of a section and how often they are there, and texts with * or ?.
struct Words {
  std::unordered_map<std::string, int> count;
  std::vector<std::string> patterns;

  void add(const std::string& text) {
    Names words;
    add_identifiers(text, words);
    for (const std::string& word : words) ++count[word];
    if (!is_expression(text) && text.find_first_of("*?") != std::string::npos) patterns.push_back(text);
  }
  void add(const Node& node) {
    if (node.is_text()) add(node.text);
    for (const Node& item : node.items) add(item);
    for (const Entry& entry : node.entries) {
      if (entry.key.text != "switch_on" && entry.key.text != "switch_off") add(entry.value);
    }
  }
  int of(const std::string& word) const {
    const auto found = count.find(word);
    return found == count.end() ? 0 : found->second;
  }
};

// `file`: words of all of it, whichever template or part listens.
void warn_of_unused_controllers_of(const Node& sections, const Words& file, Reading& reading) {
  const Entry* controllers = find(sections, "controllers");
  if (!controllers) return;
  for (const Entry& entry : controllers->value.entries) {
    const std::string name = entry.key.text.substr(0, entry.key.text.find('['));
    Words own;
    own.add(entry.value);
    const auto records = [&](const std::string& pattern) {
      return matches(pattern, name) || matches(pattern, name + ".output");
    };
    if (file.of(name) > own.of(name) || std::ranges::any_of(file.patterns, records)) continue;
    reading.warn(
        "unused", reading.report.at(entry.key),
        "controller \"" + entry.key.text + "\" is used nowhere: nothing listens to it, and no output records it.",
        "Let a force, a drive or another controller name it as its `signal` or input, or remove it.");
  }
}

}  // namespace

void check_connected(Reading& reading) {
  const model::Model& model = reading.model;
  Groups groups(model.bodies.size() + 1);  // 0: the ground
  const auto number = [](int body) { return static_cast<std::size_t>(body + 1); };
  for (const model::Joint& joint : model.joints) groups.join(number(joint.from), number(joint.to));
  for (const model::Contribution& what : model.contributions) {
    if (what.closes_loop()) groups.join(number(what.from.body), number(what.to.body));
  }
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model::mesh_of(model.bodies[i])) groups.join(i + 1, 0);  // its coordinates say where it is
  }
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (groups.leader(i + 1) == groups.leader(0)) continue;
    reading.report.add(
        model.bodies[i].where,
        "body \"" + model.bodies[i].name + "\" is not connected to the ground by joints or rods.",
        "Connect it; if it should fly, add a joint {type: free, from: ground, to: " + model.bodies[i].name + "}.");
  }
}

void warn_of_unused_parameters(const Node& file, const Node* parameters, Reading& reading) {
  Names used;
  collect(file, used);
  if (const Entry* templates = find(file, "templates")) {
    for (const Entry& definition : templates->value.entries) warn_of_unused_parameters_of(definition, reading);
  }
  if (!parameters) return;
  for (const Entry& entry : parameters->entries) {
    if (used.count(entry.key.text) == 0 && entry.key.text.find('.') == std::string::npos)
      reading.warn("unused", reading.report.at(entry.key), "parameter \"" + entry.key.text + "\" is used nowhere.");
  }
}

void warn_of_unused_controllers(const Node& file, Reading& reading) {
  Words words;
  words.add(file);
  warn_of_unused_controllers_of(file, words, reading);
  if (const Entry* templates = find(file, "templates")) {
    for (const Entry& definition : templates->value.entries)
      warn_of_unused_controllers_of(definition.value, words, reading);
  }
}

}  // namespace skyhook::io::model_file
