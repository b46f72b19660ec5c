// Files that a model names: meshes and tables.
#pragma once
#include <string>

#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

struct NamedFile {
  std::string path;  // as it can be opened: the folder of the model file, then the name
  std::string bytes;
};

// `name` is relative to the model file. The file joins Model::files. What cannot be read is reported at `place`, with
// `what` before it, and throws Report::Known.
NamedFile read_file(Reading& reading, const std::string& name, const Node& place, const std::string& what);

// From the disk; throws ModelError. Only this function touches it.
std::string bytes_on_disk(const std::string& path);

}  // namespace skyhook::io::model_file
