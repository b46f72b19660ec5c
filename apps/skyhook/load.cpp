#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "model_commands.h"
#include "plugins.h"

namespace skyhook::app {
namespace {

std::vector<io::Setting> settings_of(const std::vector<std::string>& set) {
  std::vector<io::Setting> out;
  for (const std::string& text : set) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) {
      throw ModelError({"command line"}, "--set " + text + " is not of the form NAME=VALUE.",
                       "For example --set sprung_mass=\"700 kg\".");
    }
    out.push_back({text.substr(0, at), text.substr(at + 1)});
  }
  return out;
}

// The second would win without a word.
void refuse_settings_twice(const std::vector<std::string>& set) {
  std::set<std::string> names;
  for (const io::Setting& s : settings_of(set)) {
    if (!names.insert(s.name).second)
      throw ModelError({"command line"}, "--set " + s.name + " is given twice.", "Remove one of the two.");
  }
}

// For all bodies, whatever the file says of some.
void set_coordinates(const std::string& name, model::Model& m) {
  m.coordinates = name == "absolute" ? model::Coordinates::absolute
                  : name == "auto"   ? model::Coordinates::automatic
                                     : model::Coordinates::joint;
  for (model::Body& body : m.bodies) body.coordinates.reset();
}

std::vector<std::string> search_path(const std::vector<std::string>& given) {
  std::vector<std::string> folders = given;
  const char* more = std::getenv("SKYHOOK_PATH");
  std::istringstream list(more ? more : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

io::ReadOptions how_to_read(const ModelOptions& options) {
  return {.search_path = search_path(options.path),
          .open = options.open,
          .ignored_warnings = options.ignore,
          .on_number = options.on_number,
          .expanded_file = options.expanded_file};
}

}  // namespace

model::Model read(const ModelOptions& options, const std::string& experiment) {
  if (options.model.empty())
    throw ModelError({"command line"}, "the model is given without a file name.",
                     "For example `skyhook check car.yaml`.");
  for (const std::string& name : options.ignore) require_warning_kind(name, {"command line"});
  model::Model m = options.source.read(options.model, settings_of(options.set), experiment, how_to_read(options));
  if (!options.coordinates.empty()) set_coordinates(options.coordinates, m);
  return m;
}

void print_warnings(std::span<const Warning> warnings) {
  for (const Warning& w : warnings) fmt::print(stderr, "warning: {}\n", to_string(w));
}

Reread rereader(const ModelOptions& options, const std::string& experiment) {
  return [same = options, experiment](const std::vector<std::pair<std::string, std::string>>& changes) {
    ModelOptions changed = same;
    for (const auto& [name, value] : changes) changed.set.push_back(name + "=" + value);
    return std::make_shared<const model::Model>(read(changed, experiment));
  };
}

static model::Model choose(const ModelOptions& options, const std::string& analysis, model::Experiment& experiment) {
  const bool is_named = !options.experiment.empty();
  const std::string guess =
      is_named ? options.experiment : options.source.first_experiment(options.model, analysis, how_to_read(options));
  model::Model m = read(options, guess);
  auto by_name = [&](const std::string& name) {
    return std::find_if(m.experiments.begin(), m.experiments.end(), [&](const auto& e) { return e.name == name; });
  };
  auto found = by_name(options.experiment);
  if (!is_named) {
    found =
        std::find_if(m.experiments.begin(), m.experiments.end(), [&](const auto& e) { return e.analysis == analysis; });
    const std::string name = found == m.experiments.end() ? "" : found->name;
    if (name != guess) m = read(options, name), found = by_name(name);  // its own `set:` and `initial:` count
    if (found == m.experiments.end()) return m;  // the caller decides what a model without one means
  }
  if (found == m.experiments.end()) {
    std::vector<std::string> names;
    for (const auto& e : m.experiments) names.push_back(e.name);
    throw ModelError({options.model}, "there is no experiment \"" + options.experiment + "\".",
                     suggest(options.experiment, names, "Experiments"));
  }
  experiment = *found;
  return m;
}

model::Model load(const ModelOptions& options, const std::string& analysis, model::Experiment& experiment) {
  refuse_settings_twice(options.set);
  model::Model m = choose(options, analysis, experiment);
  announce_plugins(m);
  return m;
}

}  // namespace skyhook::app
