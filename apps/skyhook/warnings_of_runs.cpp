#include "warnings_of_runs.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace skyhook::app {
namespace {

struct Kind {
  std::size_t runs = 0;
  std::string first_run, first_text;
  std::set<std::string> texts;
};

std::map<std::string, Kind> by_kind(const std::vector<RunWarnings>& runs) {
  std::map<std::string, Kind> kinds;
  for (const RunWarnings& r : runs) {
    std::set<std::string> counted;
    for (const Warning& w : r.warnings) {
      Kind& kind = kinds[w.name];
      if (kind.runs == 0) kind.first_run = r.run, kind.first_text = to_string(w);
      if (counted.insert(w.name).second) ++kind.runs;
      kind.texts.insert(to_string(w));
    }
  }
  return kinds;
}

}  // namespace

void print_warnings_of_runs(const std::vector<RunWarnings>& runs, const std::string& noun) {
  for (const auto& [name, kind] : by_kind(runs)) {
    const std::size_t more = kind.texts.size() - 1;
    fmt::print(stderr, "warning: {} of {} {} (first: {}): {}{}\n", kind.runs, runs.size(), noun, kind.first_run,
               kind.first_text, more > 0 ? fmt::format(" And {} more of this kind, all in --json.", more) : "");
  }
}

Cell cell_of(const std::vector<Warning>& warnings) {
  std::string text;
  for (const Warning& w : warnings) text += (text.empty() ? "" : "; ") + to_string(w);
  return Structured{text, to_json(warnings)};
}

void tell_of_warnings(const std::string& file, const std::vector<Warning>& warnings) {
  if (warnings.empty()) return;
  fmt::print(stderr, "{}: its run gave {} warning{}, see `skyhook show {}`.\n", file, warnings.size(),
             warnings.size() == 1 ? "" : "s", file);
}

}  // namespace skyhook::app
