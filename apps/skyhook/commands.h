// The commands of the program that work on result files, one source file each. Each prints to stdout, returns the
// exit code and throws ModelError for bad input.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace skyhook::app {

// skyhook show R.h5 [CHANNEL...] [--all] [--at T...] [--cost] [--events] [--json]
struct ShowOptions {
  std::string file;
  std::vector<std::string> channels;  // names or patterns; none: list the channels
  std::vector<double> at;             // interpolate at these times
  bool all = false;                   // every sample; otherwise about 20 of them
  bool cost = false;
  bool events = false;
  bool json = false;  // JSON always has every sample
};
int show(const ShowOptions& options);

// skyhook export R.h5 [CHANNEL...] --csv F | --mat F | --events F
struct ExportOptions {
  std::string file;
  std::vector<std::string> channels;  // none: all
  std::string csv, mat, events;       // where to, one or more; csv or events "-" is standard output
};
int export_result(const ExportOptions& options);

// skyhook diff A.h5 B.h5 [CHANNEL...] [--tol X] [--json]
struct DiffOptions {
  std::string a, b;
  std::vector<std::string> channels;  // none: all but those that are errors themselves
  double tol = 1e-6;                  // of the difference relative to the channel's scale, see io::ChannelDifference
  bool common = false;  // runs that end at different times are the same if they are where both have samples
  bool json = false;
};
int diff(const DiffOptions& options);  // 0: the same within tol; 1: not

// skyhook plot R.h5 [CHANNEL...] --out P.svg|P.png | --terminal
struct PlotOptions {
  std::string file;
  std::vector<std::string> channels;  // none: the first six
  std::string out, x, title, size, compare;
  std::optional<double> from, to;
  bool terminal = false, panels = false, overlay = false, log_x = false, log_y = false, degrees = false, dark = false;
  double scale = 1;
  int width = 0, height = 0;  // of the terminal, in characters; 0: as it is
};
int plot(const PlotOptions& options);

// skyhook report R.h5 [--out R.html] [--compare OTHER.h5] [--max-size 3MB]
struct ReportCommand {
  std::vector<std::string> files, compare;  // results: the first, and others that are shown as its ghosts
  std::string out;                          // default: the first result's name with .html
  std::string max_size = "3MB";
};
int report(const ReportCommand& options);
std::string write_report(const ReportCommand& options);  // "report in R.html (1.2 MB)"
std::string report_name(const std::string& result);      // R.html of R.h5

}  // namespace skyhook::app
