#include "skyhook/io/result/export.h"

#include <fmt/core.h>

#include <iostream>

#include "commands.h"
#include "skyhook/base/error.h"
#include "warnings_of_runs.h"
#include "write_text.h"

namespace skyhook::app {

int export_result(const ExportOptions& options) {
  const io::ResultFile result = io::ResultFile::open(options.file);
  if (options.csv.empty() && options.mat.empty() && options.events.empty()) {
    throw ModelError({options.file}, "nothing says where to export to.",
                     "Add --csv FILE, --mat FILE or --events FILE.");
  }
  if (options.csv == "-" && options.events == "-")
    throw ModelError({"command line"}, "both --csv and --events are to go to standard output.", "Name a file for one.");
  require_file_name("--mat", options.mat);
  keep_inputs({options.csv, options.mat, options.events}, {options.file});
  for (const std::string& out : {options.csv, options.mat, options.events}) check_writable(out);
  tell_of_warnings(options.file, result.summary().warnings);
  const bool to_stdout = options.csv == "-" || options.events == "-";  // then only the CSV goes there
  const auto report = [&](const std::string& path) {
    fmt::print(to_stdout ? stderr : stdout, "{}: {} samples\n", path, result.samples());
  };
  if (options.csv == "-") {
    io::export_csv(result, options.channels, std::cout, "standard output");
  } else if (!options.csv.empty()) {
    io::export_csv(result, options.channels, options.csv);
    report(options.csv);
  }
  if (!options.mat.empty()) {
    io::export_mat(result, options.channels, options.mat);
    report(options.mat);
  }
  if (options.events == "-") {
    io::export_events(result, std::cout, "standard output");
  } else if (!options.events.empty()) {
    io::export_events(result, options.events);
    fmt::print(to_stdout ? stderr : stdout, "{}: {} events\n", options.events, result.events().size());
  }
  return 0;
}

}  // namespace skyhook::app
