// A run as one HTML page that any browser shows without a server: the scene, plots, the model, the run.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/io/report/page.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io {

struct ReportOptions {
  // Of the whole page. Samples and frames are left out until it is met, but never fewer than about 100 samples a channel
  // and 50 frames remain: a page may then be larger.
  std::size_t max_bytes = 3'000'000;
  // Where the page asks for changes and the version that it is, "version;7"; empty: the page stands.
  std::string live;
  std::string_view page = report::viewer_page();  // the template
};

// ModelError if this Skyhook was built without the viewer.
void require_viewer();

struct Report {
  std::string page;
  std::vector<std::string> notes;  // what its reader should know, "label: ..."; the page has them too
};

// The page of one run, or of several: others are shown as ghosts of the first. ModelError if the times of a result are not
// in order.
Report make_report(const std::vector<const ResultFile*>& results, const ReportOptions& options = {});

// ModelError if `path` cannot become a report: no such folder, or a file that is something else.
void check_report_place(const std::filesystem::path& path);
// Writes beside it first and then takes its name, so that there is never half a report.
void write_report(const std::filesystem::path& path, const std::string& page);

}  // namespace skyhook::io
