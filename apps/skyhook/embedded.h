// Files of the source tree that are built into the program, so that it needs none beside it: see cmake/embed.cmake.
#pragma once
#include <string_view>

namespace skyhook::app {

// The text of a file by its path in the source tree: "models/new/pendulum.yaml". Empty: not built in.
std::string_view embedded(std::string_view path);

}  // namespace skyhook::app
