#include "skyhook/io/model_file/model_reader.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "skyhook/io/model_file/checks.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/io/model_file/shapes.h"
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

void read_parameters(const FileFields& file, const std::vector<Setting>& settings, const std::string& experiment,
                     Reading& reading) {
  if (Node* section = file.parameters.node) {
    if (!section->is_map())
      throw ModelError(reading.report.at(*section),
                       std::string("parameters should be a map, but are ") + kind_name(*section) + ".",
                       "Write name: value.");
    for (const Entry& entry : section->entries) reading.parameters.define(entry.key, entry.value, reading.report);
  }
  apply_settings_of(experiment, file.experiments.node, reading);
  for (const Setting& s : settings)
    reading.parameters.redefine(s.name, s.value, Location{"command line"}, reading.report);
  reading.parameters.evaluate(reading.report);
}

// Replaces each section by its expanded form.
void read_sections(const FileFields& file, const std::string& experiment, Reading& reading) {
  const auto replace = [&](const Part& part, auto read) {
    if (part.node) *part.node = read(*part.node, reading);
  };
  if (file.gravity.node) read_gravity(*file.gravity.node, reading);
  replace(file.bodies, read_bodies);
  replace(file.markers, read_markers);
  read_shapes(file.bodies.node, file.ground.node, reading);
  replace(file.joints, read_joints);
  replace(file.forces, read_forces);
  if (reading.report.size() == 0) check_connected(reading);
  if (file.initial.node) read_initial(*file.initial.node, reading, "initial", Apply::yes);
  if (file.outputs.node) read_outputs(*file.outputs.node, reading, "outputs", reading.model.outputs);
  replace(file.experiments, [&](Node& section, Reading& r) { return read_experiments(section, r, experiment); });
}

void read_all(Node& root, Reading& reading, const std::vector<Setting>& settings, const std::string& experiment) {
  const FileFields file = read_file_fields(root, reading);
  reading.model.name = file.name.empty() ? std::filesystem::path(reading.model.file).stem().string() : file.name;
  warn_of_unused_parameters(root, file.parameters.node, reading);
  read_parameters(file, settings, experiment, reading);
  read_sections(file, experiment, reading);
  if (file.parameters.node) *file.parameters.node = reading.parameters.expanded(*file.parameters.node);
}

using Bytes = decltype(Reading::bytes_of);

model::Model read_text(const std::string& text, const std::string& file_name, const std::vector<Setting>& settings,
                       const std::string& experiment, Bytes bytes_of) {
  Reading reading(file_name);
  reading.bytes_of = std::move(bytes_of);
  reading.model.file = file_name;
  reading.model.source = text;
  Node root;
  try {
    root = parse_yaml(text, file_name, reading.report);
    read_all(root, reading, settings, experiment);
  } catch (const Report::Full&) {
  } catch (const Report::Known&) {
  } catch (const ModelError& error) {
    reading.report.add(error);
  }
  reading.report.throw_if_any();
  reading.model.parameters = reading.parameters.list();
  reading.model.expanded = write_yaml(root);
  reading.model.warnings.insert(reading.model.warnings.end(), reading.warnings.begin(), reading.warnings.end());
  return std::move(reading.model);
}

}  // namespace

model::Model read_model_text(const std::string& text, const std::string& file_name,
                             const std::vector<Setting>& settings, const std::string& experiment) {
  return read_text(text, file_name, settings, experiment, {});
}

model::Model read_model(const std::string& path, const std::vector<Setting>& settings, const std::string& experiment) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw ModelError({path}, "this is a folder, not a model file.", "Give a file that ends in .yaml.");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ModelError({path}, "the file cannot be opened.", "Check the path and the permissions.");
  std::ostringstream text;
  text << stream.rdbuf();
  return read_text(text.str(), path, settings, experiment, bytes_on_disk);
}

}  // namespace skyhook::io
