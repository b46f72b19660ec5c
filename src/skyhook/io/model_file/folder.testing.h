// A folder of files for one test, gone afterwards.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "skyhook/io/model_file/reader.testing.h"

namespace skyhook::io {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("skyhook_model_file_" + std::to_string(getpid()));

  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  model::Model read(const std::string& model) const { return read_model(write("m.yaml", model)); }
  std::string errors(const std::string& model) const {
    try {
      read(model);
      return "";
    } catch (const ModelError& error) {
      return error.what();
    }
  }
};

}  // namespace skyhook::io
