#include "skyhook/io/serve/file_watch.h"

#include <sys/stat.h>

#include <algorithm>

namespace skyhook::io::serve {

FileWatch::Stamp FileWatch::stamp_of(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return {};
  return {found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino};
}

void FileWatch::add(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!known_.contains(file)) known_[file] = stamp_of(file);
  }
}

void FileWatch::replace(const std::vector<std::string>& files) {
  std::erase_if(known_,
                [&](const auto& entry) { return std::find(files.begin(), files.end(), entry.first) == files.end(); });
  add(files);
}

bool FileWatch::changed() const {
  return std::any_of(known_.begin(), known_.end(),
                     [](const auto& entry) { return stamp_of(entry.first) != entry.second; });
}

void FileWatch::settle() {
  for (auto& [file, stamp] : known_) stamp = stamp_of(file);
}

}  // namespace skyhook::io::serve
