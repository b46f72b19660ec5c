// Where reports are written to.
#include <fstream>
#include <system_error>

#include "skyhook/base/new_file.h"
#include "skyhook/io/refuse.h"
#include "skyhook/io/report/report.h"

namespace skyhook::io {

namespace fs = std::filesystem;

namespace {

// Every page of the viewer has these; an empty file holds nothing to lose.
bool is_report_or_empty(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto has = [&](const char* part) { return text.find(part) != text.npos; };
  return text.empty() || (has("<html") && has("skyhook-live") && has("skyhook-data"));
}

}  // namespace

void check_report_place(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (path.empty()) refuse(path, "no name is given for the report.", "Name a file, for example run.html.");
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    refuse(path, "is a folder, so the report cannot be written there.",
           "Name a file in it, for example " + (path / "run.html").string() + ".");
  }
  if (!fs::is_directory(folder, error)) {
    refuse(path, "the report cannot be written: there is no folder \"" + folder.string() + "\".",
           "Create the folder or choose another place.");
  }
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) {
    refuse(path, "is not an ordinary file, so no report can be written to it.", "Choose another name.");
  }
  if (!is_report_or_empty(path)) {
    refuse(path, "exists and is not a report, so it is not overwritten.", "Choose another name or delete the file.");
  }
}

void write_report(const fs::path& path, const std::string& page) {
  check_report_place(path);
  write_file(path, page, "the report");
}

}  // namespace skyhook::io
