#include "write_text.h"

#include <algorithm>
#include <fstream>
#include <regex>

#include "skyhook/base/new_file.h"
#include "terminal.h"

namespace skyhook::app {

namespace {

namespace fs = std::filesystem;

bool is_standard_output(const fs::path& path) { return path.empty() || path == "-"; }

// "a model" or "a result"; empty: something that a new file may replace.
std::string precious_kind(const fs::path& path) {
  std::string head(64 << 10, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (head.starts_with("\x89HDF\r\n\x1a\n")) return "a result";
  static const std::regex version(R"(skyhook["']?\s*:\s*1\b)");  // also in braces, quotes or behind a byte order mark
  return std::regex_search(head, version) ? "a model" : "";
}

// Through links, and of files that are not there yet by their names.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  const fs::file_status status = fs::status(a, error);
  const bool is_there = fs::exists(status);
  if (is_there && !fs::is_regular_file(status)) return false;  // /dev/null takes all
  if (is_there != fs::exists(b, error)) return false;
  if (is_there) return fs::equivalent(a, b, error);
  const auto full = [&](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(NewFile::behind_links(name), error), error);
  };
  return full(a) == full(b);
}

}  // namespace

void write_text(const fs::path& path, std::string_view text) {
  is_standard_output(path) ? print_data(text) : write_file(path, text);
}

void check_writable(const fs::path& path) {
  if (is_standard_output(path)) return;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return;  // a device, a pipe
  if (const std::string kind = fs::is_regular_file(status) ? precious_kind(path) : ""; !kind.empty())
    throw ModelError({path.string()}, "exists and is " + kind + ", so it is not overwritten.",
                     "Choose another name or delete the file.");
  NewFile(path, "the file");
}

void require_file_name(const std::string& option, const std::string& path) {
  if (path == "-")
    throw ModelError({"command line"}, option + " - would be standard output, to which this cannot be written.",
                     "Name a file.");
}

void keep_inputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (auto out = outputs.begin(); out != outputs.end(); ++out) {
    if (is_standard_output(*out)) continue;
    const auto is_out = [&](const std::string& other) {
      return !is_standard_output(other) && is_same_file(*out, other);
    };
    if (std::any_of(inputs.begin(), inputs.end(), is_out))
      throw ModelError({*out}, "this file is read by the command, which would replace it.",
                       "Give the output another name.");
    if (std::any_of(std::next(out), outputs.end(), is_out))
      throw ModelError({*out}, "two outputs of the command would go to this file.", "Give one another name.");
  }
}

}  // namespace skyhook::app
