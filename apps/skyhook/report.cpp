#include "skyhook/io/report/report.h"

#include <fmt/format.h>

#include <cmath>

#include "commands.h"
#include "skyhook/base/error.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

// "3MB", "3 MB", "500 kB" or a number of bytes; MB is a million.
std::size_t bytes_of(const std::string& text) {
  std::size_t used = 0;
  double number = 0;
  try {
    number = std::stod(text, &used);
  } catch (const std::exception&) {}
  while (used < text.size() && text[used] == ' ') ++used;
  const std::string unit = text.substr(used);
  const double factor = unit.empty() || unit == "B" ? 1 : unit == "kB" || unit == "KB" ? 1e3 : unit == "MB" ? 1e6 : 0;
  if (!(number * factor >= 1 && number * factor <= 1e9)) {
    throw ModelError({"command line"}, "--max-size " + text + " is not a size from 1 B to 1000 MB.",
                     "For example --max-size 3MB.");
  }
  return static_cast<std::size_t>(number * factor);
}

std::string size_text(std::size_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{:.0f} kB", std::ceil(double(bytes) / 1e3))
                           : fmt::format("{:.2f} MB", double(bytes) / 1e6);
}

}  // namespace

std::string report_name(const std::string& result) {
  return std::filesystem::path(result).replace_extension(".html").string();
}

std::string write_report(const ReportCommand& options) {
  io::require_viewer();
  const std::string out = options.out.empty() ? report_name(options.files.front()) : options.out;
  const io::ReportOptions o{.max_bytes = bytes_of(options.max_size)};
  std::vector<std::string> files = options.files;
  files.insert(files.end(), options.compare.begin(), options.compare.end());
  keep_inputs({out}, files);
  require_file_name("--out", out);
  io::check_report_place(out);
  std::vector<io::ResultFile> opened;
  for (const std::string& file : files) opened.push_back(io::ResultFile::open(file));
  std::vector<const io::ResultFile*> results;
  for (const io::ResultFile& result : opened) results.push_back(&result);
  const auto [page, notes] = io::make_report(results, o);
  io::write_report(out, page);
  for (const std::string& text : notes) fmt::print(stderr, "{}\n", text);
  const bool large = page.size() > o.max_bytes;
  const std::string note = large ? ", larger than --max-size: it cannot be made smaller" : "";
  return fmt::format("report in {} ({}{})", out, size_text(page.size()), note);
}

int report(const ReportCommand& options) {
  fmt::print("{}\n", write_report(options));
  return 0;
}

}  // namespace skyhook::app
