#include "files_read_once.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "skyhook/io/model_file/named_file.h"

namespace skyhook::app {
namespace {

struct Known {
  std::mutex mutex;
  std::map<std::string, std::optional<std::string>> files;
};

// One name for a file that is reached in several ways.
std::string name_of(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  return failed ? path : absolute.lexically_normal().string();
}

}  // namespace

OpenFile files_read_once(OpenFile open) {
  if (!open) open = io::model_file::bytes_on_disk;
  return [open, known = std::make_shared<Known>()](const std::string& path) {
    const std::lock_guard lock(known->mutex);
    const auto [found, is_new] = known->files.try_emplace(name_of(path));
    if (is_new) found->second = open(path);
    return found->second;
  };
}

}  // namespace skyhook::app
