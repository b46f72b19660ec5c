#include "skyhook/io/model_file/named_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace skyhook::io::model_file {
namespace {

constexpr std::uintmax_t most_bytes = 256u << 20u;

}  // namespace

std::string bytes_on_disk(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw ModelError({path}, "there is no such file.", "Names of files are relative to the model file.");
  if (!std::filesystem::is_regular_file(path, error))
    throw ModelError({path}, "this is no file, but a folder or a device.", "Name a file.");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > most_bytes)
    throw ModelError({path}, "the file is larger than 256 MB.", "Reduce it: a model needs no more.");
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(size, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!stream) throw ModelError({path}, "the file cannot be opened.", "Check the permissions.");
  return bytes;
}

NamedFile read_file(Reading& reading, const std::string& name, const Node& place, const std::string& what) {
  const std::filesystem::path folder = std::filesystem::path(reading.model.file).parent_path();
  NamedFile file{(folder / name).string(), {}};
  if (!reading.bytes_of) {
    reading.report.add(place, what + " is the file \"" + name + "\", but this model is a text without a folder.",
                       "Save the model to a file, beside those that it names.");
    throw Report::Known{};
  }
  try {
    file.bytes = reading.bytes_of(file.path);
  } catch (const ModelError& error) {
    for (const Finding& f : error.findings())
      reading.report.add(place, what + " is the file \"" + file.path + "\": " + f.what, f.advice);
    throw Report::Known{};
  }
  auto& files = reading.model.files;
  if (std::find(files.begin(), files.end(), file.path) == files.end()) files.push_back(file.path);
  return file;
}

}  // namespace skyhook::io::model_file
