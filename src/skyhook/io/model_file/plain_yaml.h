// The plain part of YAML, in which nearly every model is written, by one pass over the text. yaml-cpp looks at each character with many
// patterns: of the time to read a car, half was spent there.
#pragma once
#include <optional>
#include <string_view>

#include "skyhook/io/model_file/node.h"

namespace skyhook::io::model_file {

// Plain: maps and lists in blocks and in brackets, texts of one line with quotes or without, lines folded by `>-`, comments, values by alias. None: something else stands in the text (a
// tag, another text of several lines, an escape, a key twice, a fault, ...), and yaml-cpp has to say what it means. Where there
// is an answer, it is that of yaml-cpp, places included.
std::optional<Node> parse_plain_yaml(std::string_view text, int file_number);

}  // namespace skyhook::io::model_file
