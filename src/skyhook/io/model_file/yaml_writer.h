// A tree of nodes back to YAML text.
#pragma once
#include <string>

#include "skyhook/io/model_file/node.h"

namespace skyhook::io::model_file {

// Maps down to the third level as indented blocks, all below in one line each. parse_yaml() gives the same tree.
std::string write_yaml(const Node& map);

}  // namespace skyhook::io::model_file
