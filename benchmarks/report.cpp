#include "report.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "skyhook/base/error.h"

namespace skyhook::bench {
namespace {

const char* verdict(double measured, double limit) {
  return std::isnan(measured) ? "not measured" : measured <= limit ? "reached" : "MISSED";
}

// A number that is missing: NaN in the table, null in JSON, '-' on the screen.
std::string with_dashes(std::string text) {
  for (std::size_t at = text.find(" nan"); at != std::string::npos; at = text.find(" nan", at))
    text.replace(at, 4, "   -");
  return text;
}

}  // namespace

std::string Report::judge(const std::string& figure, double measured, double limit, const std::string& of) {
  goals_.push_back({figure + (of.empty() ? "" : ", of " + of), measured, limit});
  return fmt::format("<= {:g}{}: {}", limit, of.empty() ? "" : " of " + of, verdict(measured, limit));
}

void Report::add(const std::string& key, const std::string& title, const Table& table) {
  fmt::print("\n{}\n\n{}", title, with_dashes(table.to_text()));
  std::fflush(stdout);
  sections_.push_back({key, table});
}

void Report::note(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
  notes_.push_back(line);
}

void Report::print_goals() {
  Table table;
  table.add_column("goal");
  table.add_column("measured", "", 3);
  table.add_column("at most");
  table.add_column("result");
  for (const Goal& g : goals_)
    table.add_row({g.figure, g.measured, g.limit, std::string(verdict(g.measured, g.limit))});
  add("goals", "Goals", table);
}

void Report::write_json(const std::string& path) const {
  std::ofstream out(path);
  out << "{\"notes\": [";
  for (std::size_t k = 0; k < notes_.size(); ++k) out << (k > 0 ? ", " : "") << json_string(notes_[k]);
  out << "]";
  for (const Section& s : sections_) out << ",\n" << json_string(s.key) << ":\n" << s.table.to_json();
  out << "}\n";
  if (!out.flush()) throw ModelError({path}, "the file cannot be written.", "Choose another with --json FILE.");
}

}  // namespace skyhook::bench
