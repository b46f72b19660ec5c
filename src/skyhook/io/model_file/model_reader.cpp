#include "skyhook/io/model_file/model_reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

#include "skyhook/io/model_file/beam_body.h"
#include "skyhook/io/model_file/checks.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/flexible.h"
#include "skyhook/io/model_file/flexible_parts.h"
#include "skyhook/io/model_file/include.h"
#include "skyhook/io/model_file/model_source.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/model_file/plausibility.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/io/model_file/shapes.h"
#include "skyhook/io/model_file/templates.h"
#include "skyhook/io/model_file/yaml_parser.h"
#include "skyhook/io/model_file/yaml_writer.h"

namespace skyhook::io {
namespace {

using namespace model_file;

constexpr int language_version = 1;

FileFields read_file_fields(Node& root, Reading& reading) {
  FileFields file;
  FieldReader reader(reading, root, "the model", "", root);
  read_described(reader, file);
  if (file.skyhook != language_version) {
    if (find(root, "skyhook")) {
      throw ModelError(reader.where("skyhook"),
                       "this file is written in version " + std::to_string(file.skyhook) +
                           " of the language, but version 1 is known.",
                       "Write \"skyhook: 1\", or use a newer program.");
    }
    reading.report.throw_if_any();
  }
  return file;
}

// Parameters, or fields of elements: what `skyhook nominal` has written. It wins over what stands beside the things themselves.
void read_nominal(const Node& section, Reading& reading) {
  if (!section.is_map()) {
    reading.report.add(section, std::string("nominal should be a map, but is ") + kind_name(section) + ".",
                       "Write {strut.preload: -3.2 kN, ...}.");
    return;
  }
  for (const Entry& entry : section.entries) {
    if (!entry.value.is_text() && !entry.value.is_list())
      reading.report.add(entry.key,
                         "nominal: \"" + entry.key.text + "\" needs a value, but has " + kind_name(entry.value) + ".",
                         "Write a number, a quantity or an expression.");
    else
      reading.set(entry.key.text, entry.value);
  }
}

void read_parameters(const FileFields& file, const std::vector<Setting>& settings, const std::string& experiment,
                     Reading& reading) {
  if (Node* section = file.parameters.node) {
    if (!section->is_map())
      throw ModelError(reading.report.at(*section),
                       std::string("parameters should be a map, but are ") + kind_name(*section) + ".",
                       "Write name: value.");
    for (const Entry& entry : section->entries) reading.parameters.define(entry.key, entry.value, reading.report);
    reading.parameters.find_points();
  }
  if (const Node* nominal = file.nominal.node) read_nominal(*nominal, reading);
  apply_settings_of(experiment, file.experiments.node, reading);
  const int command_line = reading.report.add_file(Report::command_line);
  for (const Setting& s : settings) reading.set(s.name, node_of_setting(s.value, command_line, reading.report));
  reading.parameters.evaluate(reading.report);
}

bool has_section(const std::vector<Level>& levels, const char* name) {
  return std::any_of(levels.begin(), levels.end(), [&](const Level& l) { return find(l.sections, name) != nullptr; });
}

// Puts an expanded section into the model: in its old place, or where the description of the file has it.
void put(Node& root, const char* name, Node section) {
  if (Entry* entry = find(root, name)) {
    entry->value = std::move(section);
    return;
  }
  const auto infos = infos_of(FileFields::fields);
  const auto rank = [&](const std::string& key) {
    return std::find_if(infos.begin(), infos.end(), [&](const FieldInfo& info) { return info.name == key; });
  };
  const auto behind = std::find_if(root.entries.begin(), root.entries.end(),
                                   [&](const Entry& e) { return rank(e.key.text) > rank(name); });
  root.entries.insert(behind, {text_node(name, root), std::move(section)});
}

Node read_initial_of(const std::vector<Level>& levels, Reading& reading) {
  Node all = map_node({});
  InitialValues known;
  for (const Level& level : levels) {
    const Entry* section = find(level.sections, "initial");
    if (!section || section->value.is_nothing()) continue;
    Node part = read_initial(section->value, level.scope, reading, section_of_model, Apply::yes, known);
    for (Entry& entry : part.entries) all.entries.push_back(std::move(entry));
  }
  return all;
}

Node read_outputs_of(const std::vector<Level>& levels, Reading& reading) {
  for (const Level& level : levels) {
    const Entry* section = find(level.sections, "outputs");
    if (section && !section->value.is_nothing())
      read_outputs(section->value, level.scope, reading, "outputs", reading.model.outputs);
  }
  return expanded(reading.model.outputs, {});
}

// Replaces each section by its expanded form, in which all levels are one.
Node read_sections(std::vector<Level> levels, const std::string& experiment, Reading& reading) {
  std::vector<std::pair<const char*, Node>> done;
  const auto replace = [&](const char* name, auto read) {
    if (has_section(levels, name)) done.emplace_back(name, read(levels, reading));
  };
  name_single_road(levels[0].sections, reading);
  if (Entry* gravity = find(levels[0].sections, "gravity"); gravity && !gravity->value.is_nothing())
    read_gravity(gravity->value, reading);
  replace("bodies", read_bodies);
  replace("markers", read_markers);
  Entry* ground = find(levels[0].sections, "ground");
  Node* bodies = done.empty() || std::string_view(done[0].first) != "bodies" ? nullptr : &done[0].second;
  read_shapes(bodies, ground && !ground->value.is_nothing() ? &ground->value : nullptr, reading);
  if (bodies) read_wheels(*bodies, reading);
  replace("sensors", read_sensors);
  replace("profiles", read_profiles);  // before the tracks whose rails have them
  replace("tracks", read_tracks);      // before the joints along them
  replace("joints", read_joints);
  check_wheel_axes(reading);
  replace("roads", read_roads);              // before those that stand on them
  replace("controllers", read_controllers);  // before those that listen to them
  replace("signals", read_signals);
  replace("forces", read_forces);
  finish_signals(reading);
  if (reading.report.size() == 0) check_connected(reading);
  if (reading.report.size() == 0) doubt_places_of_flexible(reading);
  if (reading.report.size() == 0) check_places_of_beams(reading);
  if (reading.report.size() == 0) doubt_distances(reading);
  replace("initial", read_initial_of);
  replace("outputs", read_outputs_of);
  replace("events", read_events);
  check_switched_controllers(reading);
  Node root = std::move(levels[0].sections);
  if (Entry* section = find(root, "experiments"); section && !section->value.is_nothing())
    section->value = read_experiments(section->value, reading, experiment);
  doubt_event_times(reading);
  for (auto& [name, section] : done) put(root, name, std::move(section));
  erase(root, "nominal");  // its effect is in the numbers already
  return root;
}

void check_part_settings(Reading& reading) {
  for (const auto& [name, setting] : reading.part_settings) {
    if (!setting.is_used)
      Parameters::refuse_unknown(name, reading.parameter_names(), reading.report.at(setting.value), reading.report);
  }
}

void read_ignored_warnings(const Node& list, Reading& reading) {
  if (!list.is_list()) {
    reading.report.add(list, std::string("ignore_warnings should be a list, but is ") + kind_name(list) + ".",
                       "Write [unused, no_mass].");
    return;
  }
  for (const Node& item : list.items) {
    try {
      require_warning_kind(item.text, reading.report.at(item));
      reading.model.ignored_warnings.push_back(item.text);
    } catch (const ModelError& error) {
      reading.report.add(error);
    }
  }
}

// In the order of the lines, without those switched off.
void finish_warnings(Reading& reading) {
  auto& list = reading.model.warnings;
  const auto place = [](const Warning& w) { return std::pair(w.where.file, w.where.line); };
  std::ranges::stable_sort(list, {}, place);
  list = without(std::move(list), reading.model.ignored_warnings);
}

// Numbers with decimal commas may be why something else is wrong, and warnings are not told with errors.
void tell_doubts_beside_errors(Reading& reading) {
  if (reading.report.size() == 0) return;
  try {
    for (const Warning& w : without(reading.model.warnings, reading.model.ignored_warnings)) {
      if (w.name == "decimal_comma") reading.report.add(w.where, w.what, w.advice);
    }
  } catch (const Report::Full&) {}
}

Node read_all(Node root, Reading& reading, const std::vector<Setting>& settings, const std::string& experiment) {
  const FileFields file = read_file_fields(root, reading);
  reading.model.name = file.name.empty() ? std::filesystem::path(reading.model.file).stem().string() : file.name;
  reading.model.coordinates = model_file::coordinates_named(file.coordinates);
  reading.model.ignored_warnings = reading.files.ignored_warnings;
  if (file.ignore_warnings.node) read_ignored_warnings(*file.ignore_warnings.node, reading);
  warn_of_unused_parameters(root, file.parameters.node, reading);
  warn_of_unused_controllers(root, reading);
  read_parameters(file, settings, experiment, reading);
  if (file.tables.node) read_tables(*file.tables.node, reading);
  if (file.plots.node) read_plots(*file.plots.node, reading);
  Node expanded_root = read_sections(levels_of(std::move(root), reading), experiment, reading);
  check_part_settings(reading);
  reading.model.parameters = reading.parameters.list();
  reading.model.parameters.insert(reading.model.parameters.end(), reading.instance_parameters.begin(),
                                  reading.instance_parameters.end());
  if (!reading.model.parameters.empty())
    put(expanded_root, "parameters", expanded(reading.model.parameters, expanded_root));
  return expanded_root;
}

Node parse_with_includes(const std::string& text, Reading& reading) {
  Node root = parse_yaml(text, reading.model.file, reading.report);
  merge_includes(root, reading);
  return root;
}

// `parse(reading)`: the file with all that it includes.
template <class Parse>
model::Model read_parsed(const std::string& text, const std::string& file_name, const std::vector<Setting>& settings,
                         const std::string& experiment, const ReadOptions& options, Parse&& parse) {
  Reading reading(file_name);
  reading.files = options;
  reading.model.file = file_name;
  reading.model.source = text;
  reading.model.files = {file_name};
  Node root;
  try {
    root = parse(reading);
    root = read_all(std::move(root), reading, settings, experiment);
  } catch (const Report::Full&) {
  } catch (const Report::Known&) {
  } catch (const ModelError& error) {
    reading.report.add(error);
  }
  tell_doubts_beside_errors(reading);
  reading.report.throw_if_any();
  reading.model.expanded = write_yaml(root);
  finish_warnings(reading);
  return std::move(reading.model);
}

std::string first_with(const std::string& analysis, const Node& root) {
  const Entry* const section = find(root, "experiments");
  if (!section || !section->value.is_map()) return {};
  for (const Entry& experiment : section->value.entries) {
    const Entry* const said = experiment.value.is_map() ? find(experiment.value, "analysis") : nullptr;
    if ((said ? said->value.text : "simulate") == analysis) return experiment.key.text;
  }
  return {};
}

std::string opened(const std::string& path, ReadOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw ModelError({path}, "this is a folder, not a model file.", "Give a file that ends in .yaml.");
  if (!options.open) options.open = bytes_on_disk;
  const auto text = options.open(path);
  if (!text) throw ModelError({path}, "the file cannot be opened.", "Check the path and the permissions.");
  return *text;
}

}  // namespace

model::Model read_model_text(const std::string& text, const std::string& file_name,
                             const std::vector<Setting>& settings, const std::string& experiment,
                             const ReadOptions& options) {
  return read_parsed(text, file_name, settings, experiment, options,
                     [&](Reading& reading) { return parse_with_includes(text, reading); });
}

model::Model read_model(const std::string& path, const std::vector<Setting>& settings, const std::string& experiment,
                        ReadOptions options) {
  const std::string text = opened(path, options);
  return read_model_text(text, path, settings, experiment, options);
}

model::Model read_flexible_parts(const std::string& path, const std::vector<Setting>& settings,
                                 const std::string& experiment, ReadOptions options, const OnFlexible& visit) {
  const std::string text = opened(path, options);
  return read_parsed(text, path, settings, experiment, options, [&](Reading& reading) {
    reading.on_flexible = visit;
    return parse_with_includes(text, reading);
  });
}

// A file without fault, parsed, with what it includes.
struct ModelSource::Known {
  std::mutex mutex;
  Node root;
  std::vector<std::string> files, bytes;
  bool is_first = true;  // what is read once needs no copy

  bool is_still(const std::string& path, const ReadOptions& options) const {
    if (files.empty() || files.front() != path) return false;
    for (std::size_t k = 0; k < files.size(); ++k) {
      if (options.open(files[k]) != bytes[k]) return false;
    }
    return true;
  }
  void keep(const Node& parsed, const Reading& reading) {
    root = parsed, files = reading.model.files, bytes.clear();
    for (const std::string& file : files) bytes.push_back(reading.files.open(file).value_or(""));
  }
  Node parsed(const std::string& text, Reading& reading) {
    if (is_still(reading.model.file, reading.files)) {
      reading.model.files = files;
      for (std::size_t k = 1; k < files.size(); ++k) reading.report.add_file(files[k]);
      return root;
    }
    Node now = parse_with_includes(text, reading);
    if (!std::exchange(is_first, false) && reading.report.size() == 0) keep(now, reading);
    return now;
  }
};

ModelSource::ModelSource() : known_(std::make_shared<Known>()) {}

model::Model ModelSource::read(const std::string& path, const std::vector<Setting>& settings,
                               const std::string& experiment, ReadOptions options) const {
  const std::string text = opened(path, options);
  return read_parsed(text, path, settings, experiment, options, [&](Reading& reading) {
    const std::lock_guard lock(known_->mutex);
    return known_->parsed(text, reading);
  });
}

std::string ModelSource::first_experiment(const std::string& path, const std::string& analysis,
                                          ReadOptions options) const {
  const std::lock_guard lock(known_->mutex);
  known_->is_first = false;
  Reading reading(path);
  try {
    const std::string text = opened(path, options);
    reading.files = options;
    reading.model.files = {reading.model.file = path};
    return first_with(analysis, known_->parsed(text, reading));
  } catch (const Report::Full&) {
  } catch (const Report::Known&) {
  } catch (const ModelError&) {}
  return {};
}

}  // namespace skyhook::io
