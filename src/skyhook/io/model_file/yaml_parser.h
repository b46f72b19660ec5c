// YAML text to a tree of nodes.
#pragma once
#include <string>

#include "skyhook/io/model_file/node.h"
#include "skyhook/io/model_file/report.h"

namespace skyhook::io::model_file {

constexpr std::size_t most_nodes = 1'000'000;  // after aliases and repeats are expanded
constexpr int most_depth = 100;
constexpr std::size_t most_bytes = 64u << 20;

int depth_of(const Node& node);  // 1: no list or map

// Reports duplicate keys (the first one stays) and merge keys. Throws ModelError where the text is no YAML, holds not
// one map, is not text at all, or goes beyond the limits above.
Node parse_yaml(const std::string& text, const std::string& file, Report& report, int file_number = 0);
// The same by yaml-cpp alone, which knows all of YAML; the other takes the short way where the text is plain.
Node parse_any_yaml(const std::string& text, const std::string& file, Report& report, int file_number = 0);

}  // namespace skyhook::io::model_file
