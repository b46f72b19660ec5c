// Files that a model names: includes, meshes and tables.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

struct NamedFile {
  std::string path;  // as it can be opened
  std::string bytes;
};

// Looked for beside the file that names it, then in the folders of the search path. What is not found is reported at
// `name`, with `what` before it, and throws Report::Known.
NamedFile find_file(Reading& reading, const Node& name, const std::string& what);
// The same; the file joins Model::files.
NamedFile read_file(Reading& reading, const Node& name, const std::string& what);

// The places where a file is looked for: beside the file that names it, then in the folders of the search path.
std::vector<std::string> places_of(const Reading& reading, const Node& name);
// How the expanded model, which may stand elsewhere, has to name a file; an absolute name stays.
std::string name_in_expanded(const Reading& reading, const std::string& name, const std::string& path);

// From the disk; nullopt: there is no such file, or it cannot be read. Only this function touches the disk.
std::optional<std::string> bytes_on_disk(const std::string& path);

}  // namespace skyhook::io::model_file
