// Reads model files: YAML with units, expressions, repeated instances and line-numbered errors.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::io {

// --set name=value: replaces a parameter, or a field of an element (strut.preload); the value as it would stand in the file.
struct Setting {
  std::string name, value;
};

// Where the files come from that a model includes.
struct ReadOptions {
  std::vector<std::string> search_path = {};  // folders to look in, after that of the including file
  // The text of a file; nullopt: it is not there. Empty: there are no other files.
  std::function<std::optional<std::string>(const std::string& path)> open = {};
  std::vector<std::string> ignored_warnings = {};  // beside those of the file
  // Is told each number of an element as the file means it, before mirrors, in SI: "strut", field, value.
  std::function<void(const std::string& element, const FieldInfo& field, double value)> on_number = {};
  std::string expanded_file = {};  // the expanded model names meshes from there; empty: from the model's own place
};

// Throws ModelError with all findings (beyond twenty: their number). `experiment` selects one of the file: its `set:`
// is applied before the settings, and its `initial:` to the joints; the expanded model has no other one. A file reads its
// includes from the disk unless `options.open` says otherwise; a text has none.
model::Model read_model(const std::string& path, const std::vector<Setting>& settings = {},
                        const std::string& experiment = "", ReadOptions options = {});
model::Model read_model_text(const std::string& text, const std::string& file_name,
                             const std::vector<Setting>& settings = {}, const std::string& experiment = "",
                             const ReadOptions& options = {});

}  // namespace skyhook::io
