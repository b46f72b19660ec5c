#include "write_text.h"

#include <fmt/format.h>

#include <fstream>

#include "skyhook/base/error.h"

namespace skyhook::app {

namespace {

namespace fs = std::filesystem;

bool is_standard_output(const fs::path& path) { return path.empty() || path == "-"; }

[[noreturn]] void refuse(const fs::path& path) {
  throw ModelError({path.string()}, "the file cannot be written.", "Check the folder and the permissions.");
}

}  // namespace

void write_text(const std::filesystem::path& path, std::string_view text) {
  if (is_standard_output(path)) return fmt::print("{}", text);
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) refuse(path);
}

void check_writable(const fs::path& path) {
  if (is_standard_output(path)) return;
  std::error_code ignored;
  const bool is_new = !fs::exists(path, ignored);
  if (!std::ofstream(path, std::ios::binary | std::ios::app)) refuse(path);
  if (is_new) fs::remove(path, ignored);
}

}  // namespace skyhook::app
