// Where commands write to.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace skyhook::app {

// Replaces the file, once all of the text is on the disk; no path or "-" is standard output. Throws ModelError if that does
// not work.
void write_text(const std::filesystem::path& path, std::string_view text);

// Throws if write_text would, before the work that leads to the text, and where a model or a result of that name would be
// lost. A file that is there stays as it is.
void check_writable(const std::filesystem::path& path);

// Throws for "-": results, pages and the like are no text.
void require_file_name(const std::string& option, const std::string& path);

// Throws if an output is a file that the command reads, by whatever name or link, or one of the other outputs. Empty names
// and "-" are no files.
void keep_inputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace skyhook::app
