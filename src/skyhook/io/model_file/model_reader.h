// Reads model files: YAML with units, expressions, repeated instances and line-numbered errors.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::io {

// --set name=value: replaces a parameter; the value as it would stand in the file.
struct Setting {
  std::string name, value;
};

// Throws ModelError with all findings (beyond twenty: their number). `experiment` selects one of the file: its `set:`
// is applied before the settings, and its `initial:` to the joints.
model::Model read_model(const std::string& path, const std::vector<Setting>& settings = {},
                        const std::string& experiment = "");
model::Model read_model_text(const std::string& text, const std::string& file_name,
                             const std::vector<Setting>& settings = {}, const std::string& experiment = "");

}  // namespace skyhook::io
