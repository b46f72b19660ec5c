#pragma once
#include <filesystem>
#include <string_view>

namespace skyhook::app {

// Replaces the file; no path or "-" is standard output. Throws ModelError if that does not work.
void write_text(const std::filesystem::path& path, std::string_view text);

// Throws if write_text would, before the work that leads to the text. A file that is there stays as it is.
void check_writable(const std::filesystem::path& path);

}  // namespace skyhook::app
