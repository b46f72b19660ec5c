// Adds to a result that is complete.
#pragma once
#include <filesystem>
#include <string>

namespace skyhook::io {

// What was evaluated of the run, as JSON, where results of analyses have what they have found. ModelError if the file cannot be written.
void add_found(const std::filesystem::path& result, const std::string& json);

}  // namespace skyhook::io
