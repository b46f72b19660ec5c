#include <fmt/core.h>

#include "commands.h"
#include "model_commands.h"
#include "skyhook/base/new_file.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/result/tables.h"
#include "warnings_of_runs.h"

namespace skyhook::app {
namespace {

constexpr std::size_t rows_shown = 20;

void show_channels(const io::ResultFile& result, bool json) {
  const Table channels = io::channel_table(result);
  if (json) {
    fmt::print("{{\"run\": {},\n\"warnings\": {},\n\"channels\":\n{}}}\n", io::run_table(result).row_to_json(0),
               to_json(result.summary().warnings), channels.to_json());
  } else {
    fmt::print("{}\n{}", io::run_text(result), channels.to_text());
  }
}

void show_cost(const io::ResultFile& result, bool json) {
  const Table cost = io::cost_table(result), limits = io::limit_table(result);
  if (json) {
    fmt::print("{{\"warnings\": {},\n\"cost\":\n{},\n\"limits\":\n{}}}\n", to_json(result.summary().warnings),
               cost.to_json(), limits.to_json());
  } else {
    fmt::print("{}\n{}\nWhat limited the step:\n{}", io::run_text(result), cost.to_text(), limits.to_text());
  }
}

void print(const Table& table, bool json) { fmt::print("{}", json ? table.to_json() + "\n" : table.to_text()); }

std::string json_of(const std::vector<Table>& tables) {
  std::string out = "[";
  for (const Table& t : tables) out += (out.size() > 1 ? ",\n" : "") + t.to_json();
  return out + "]";
}

// What varies over the samples: at the times asked for, or at all of them, or at some that fit on a screen.
Table values_of(const io::ResultFile& result, const ShowOptions& o) {
  if (!o.at.empty()) return io::value_table_at(result, o.channels, o.at);
  return io::value_table(result, o.channels, o.all || o.json ? 0 : rows_shown);
}

// Numbers and spectra, each in a table of its own.
void show_formulas(const io::ResultFile& result, const io::Formulas& found, const ShowOptions& options) {
  if (options.json) {
    const Table none, values = found.any_over_samples ? values_of(result, options) : none;
    fmt::print("{{\"numbers\": {},\n\"tables\": {},\n\"values\": {}}}\n", found.numbers.to_json(),
               json_of(found.others), values.to_json());
    return;
  }
  if (found.numbers.rows() > 0) fmt::print("{}", found.numbers.to_text());
  for (const Table& t : found.others)
    fmt::print("{}{}", found.numbers.rows() > 0 || &t != &found.others.front() ? "\n" : "", t.to_text());
}

void show_values(const io::ResultFile& result, const ShowOptions& options) {
  const io::Formulas found = io::formula_tables(result, options.channels);
  const bool are_there = found.numbers.rows() > 0 || !found.others.empty();
  if (are_there) show_formulas(result, found, options);
  if (are_there && (options.json || !found.any_over_samples)) return;
  if (are_there) fmt::print("\n");
  const Table table = values_of(result, options);
  print(table, options.json);
  if (!options.at.empty()) {
    for (const std::string& note : io::unresolved_notes(result, options.channels))
      fmt::print(stderr, "{}\n", printable(note));
  }
  if (options.at.empty() && table.rows() < result.samples()) {
    fmt::print("{} of {} samples; --all shows every one.\n", table.rows(), result.samples());
  }
}

// A result of that name is there, but it is not the newest.
void tell_of_newer(const std::string& file) {
  const auto part = NewFile::readable_part(file);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && std::filesystem::exists(part, ignored))
    fmt::print(stderr, "{} is an older result: that of a run which goes on, or was killed, is {}.\n", file,
               part.string());
}

// One table at a time: none is left out without a word.
void refuse_several(const ShowOptions& o) {
  const int tables =
      static_cast<int>(o.cost) + static_cast<int>(o.events) + static_cast<int>(o.all) + static_cast<int>(!o.at.empty());
  if (tables > 1)
    throw ModelError({"command line"}, "--cost, --events, --all and --at are different tables.", "Give one of them.");
  if ((o.cost || o.events) && !o.channels.empty())
    throw ModelError({"command line"}, "--cost and --events have no channels, but " + o.channels.front() + " is given.",
                     "Leave out one of the two.");
}

}  // namespace

int show(const ShowOptions& options) {
  refuse_several(options);
  tell_of_newer(options.file);
  const io::ResultFile result = io::ResultFile::open(options.file);
  const std::vector<Warning> warnings = result.summary().warnings;
  if (options.cost) {
    show_cost(result, options.json);
    print_warnings(warnings);
  } else if (options.events) {
    print(io::event_table(result.events()), options.json);
  } else if (!options.channels.empty() || options.all || !options.at.empty()) {
    show_values(result, options);
    tell_of_warnings(options.file, warnings);
  } else {
    show_channels(result, options.json);
    print_warnings(warnings);
  }
  return 0;
}

}  // namespace skyhook::app
