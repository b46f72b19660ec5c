#pragma once
#include <filesystem>
#include <string_view>

namespace skyhook::app {

// Replaces the file. Throws ModelError if that does not work.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace skyhook::app
