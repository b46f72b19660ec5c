#include "write_text.h"

#include <fstream>

#include "skyhook/base/error.h"

namespace skyhook::app {

void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw ModelError({path.string()}, "the file cannot be written.", "Check the folder and the permissions.");
}

}  // namespace skyhook::app
