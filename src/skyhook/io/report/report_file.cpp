// Where reports are written to.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "skyhook/base/error.h"
#include "skyhook/io/report/report.h"

namespace skyhook::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& what, const std::string& advice) {
  throw ModelError({path.string()}, what, advice);
}

[[noreturn]] void refuse_to_write(const fs::path& path, int error) {
  refuse(path, "the report cannot be written (" + std::generic_category().message(error) + ").",
         "Check that the disk has space and that you may write there, or choose another place.");
}

// Every page of the viewer has these; an empty file holds nothing to lose.
bool is_report_or_empty(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto has = [&](const char* part) { return text.find(part) != text.npos; };
  return text.empty() || (has("<html") && has("skyhook-live") && has("skyhook-data"));
}

void write_all(int file, const std::string& text, const fs::path& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse_to_write(path, errno);
    done += static_cast<std::size_t>(n);
  }
}

// Closed and removed unless it was given its name.
struct Part {
  fs::path path;
  int file;
  explicit Part(const fs::path& target)
      : path(target.parent_path() / ("." + target.filename().string() + "." + std::to_string(getpid()) + ".part")),
        file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666)) {}
  ~Part() {
    if (file >= 0) ::close(file);
    ::unlink(path.c_str());
  }
};

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
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path) : path;
  Part part(target);
  if (part.file < 0) refuse_to_write(path, errno);
  write_all(part.file, page, path);
  if (::close(std::exchange(part.file, -1)) != 0) refuse_to_write(path, errno);
  fs::rename(part.path, target, error);
  if (error) refuse_to_write(path, error.value());
}

}  // namespace skyhook::io
