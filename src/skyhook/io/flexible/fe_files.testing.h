// Files of finite elements for one test: a folder of them, their bytes, and what is said where they are refused.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "skyhook/base/error.h"

namespace skyhook::io::fe {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("skyhook_fe_files_" + std::to_string(getpid()));
  Folder() { std::filesystem::remove_all(path), std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name, const std::string& text = "") const {
    if (!text.empty()) std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

inline std::string bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream all;
  all << stream.rdbuf();
  return all.str();
}

template <class Call>
std::string message(Call call) {
  try {
    call();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "none";
}

}  // namespace skyhook::io::fe
