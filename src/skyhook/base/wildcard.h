// Patterns over channel names: "*" stands for any text, "?" for any one byte.
#pragma once
#include <string>

namespace skyhook {

bool matches(const std::string& pattern, const std::string& name);

}  // namespace skyhook
