#include "skyhook/io/model_file/named_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace skyhook::io::model_file {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 256u << 20u;

}  // namespace

std::optional<std::string> bytes_on_disk(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return {};
  if (size > largest_file)
    throw ModelError({path}, "the file is larger than 256 MB.", "Reduce it: a model needs no more.");
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(size, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!stream) return {};
  return bytes;
}

std::vector<std::string> places_of(const Reading& reading, const Node& name) {
  std::vector<fs::path> folders{fs::path(reading.report.at(name).file).parent_path()};
  folders.insert(folders.end(), reading.files.search_path.begin(), reading.files.search_path.end());
  std::vector<std::string> places;
  for (const fs::path& folder : folders) {
    const std::string path = (folder / name.text).lexically_normal().string();  // an absolute name replaces the folder
    if (std::find(places.begin(), places.end(), path) == places.end()) places.push_back(path);
  }
  return places;
}

// In full first: from ../cars nobody knows the way to a file of this folder by the names alone.
std::string name_in_expanded(const Reading& reading, const std::string& name, const std::string& path) {
  if (fs::path(name).is_absolute()) return name;
  const auto full = [](const fs::path& p) {
    std::error_code ignored;  // no path: none
    return fs::absolute(p, ignored).lexically_normal();
  };
  const std::string& expanded = reading.files.expanded_file;
  return full(path).lexically_proximate(full(expanded.empty() ? reading.model.file : expanded).parent_path()).string();
}

NamedFile find_file(Reading& reading, const Node& name, const std::string& what) {
  if (!reading.files.open) {
    reading.report.add(name, what + ": the model is given as a text, so other files are not read.",
                       "Save it to a file, beside those that it names.");
    throw Report::Known{};
  }
  std::string tried;
  for (const std::string& path : places_of(reading, name)) {
    if (auto bytes = reading.files.open(path)) return {path, std::move(*bytes)};
    tried += (tried.empty() ? "" : ", ") + path;
  }
  const bool is_part = fs::path(name.text).parent_path().filename() == "library";  // as `skyhook new car` names them
  reading.report.add(name, what + ": the file \"" + name.text + "\" is not found.",
                     "Looked for (a folder is no file): " + tried +
                         ". Folders can be added by --path or SKYHOOK_PATH." +
                         (is_part ? " `skyhook new library` writes the parts for cars." : ""));
  throw Report::Known{};
}

NamedFile read_file(Reading& reading, const Node& name, const std::string& what) {
  NamedFile file = find_file(reading, name, what);
  auto& files = reading.model.files;
  if (std::find(files.begin(), files.end(), file.path) == files.end()) files.push_back(file.path);
  return file;
}

}  // namespace skyhook::io::model_file
