// The files of a command: each is read once, however often the model is read again.
#pragma once
#include <functional>
#include <optional>
#include <string>

namespace skyhook::app {

using OpenFile = std::function<std::optional<std::string>(const std::string& path)>;

// Remembers what `open` has said of each path, also that there is no such file; copies remember together. So an event that sets
// a parameter, the points of a sweep and a second run to verify the first all see the files as they were at the first reading.
// Safe to call from several threads. Without `open`: from the disk.
OpenFile files_read_once(OpenFile open = {});

}  // namespace skyhook::app
