// Colours by name or number.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace skyhook::io::model_file {

// "#rrggbb" in small letters, of a name, "#RRGGBB" or "#rgb".
std::optional<std::string> colour_of(const std::string& text);
std::vector<std::string> colour_names();

}  // namespace skyhook::io::model_file
