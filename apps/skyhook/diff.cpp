#include <fmt/core.h>

#include <limits>

#include "commands.h"
#include "skyhook/io/result/tables.h"
#include "warnings_of_runs.h"

namespace skyhook::app {
namespace {

void print_text(const io::Difference& difference, const Table& table, double tol) {
  fmt::print("{}", table.to_text());
  if (!difference.same_range) {
    fmt::print("The runs do not cover the same time; compared from {:g} s to {:g} s.\n", difference.from,
               difference.to);
  } else if (!difference.same_times) {
    fmt::print("The samples are at different times; the second result is interpolated at those of the first.\n");
  }
  fmt::print("{}\n", difference.within(tol) ? fmt::format("Same within {:g}.", tol)
                                            : fmt::format("Not the same within {:g}.", tol));
}

}  // namespace

int diff(const DiffOptions& options) {
  if (!(options.tol >= 0))  // NaN too
    throw ModelError({"command line"}, fmt::format("--tol is {}, but must not be negative.", options.tol),
                     "Usual are 1e-3 to 1e-9; 0 wants the same bits.");
  const io::ResultFile a = io::ResultFile::open(options.a), b = io::ResultFile::open(options.b);
  const io::Difference difference = io::compare(a, b, options.channels);
  const Cell absent = options.json ? Cell(std::numeric_limits<double>::quiet_NaN()) : Cell("-");
  const Table table = io::difference_table(difference, options.tol, absent);
  const bool same = difference.within(options.tol);
  if (options.json) {
    fmt::print(
        "{{\"same\": {}, \"same_range\": {}, \"tolerance\": {}, \"warnings_of_a\": {}, \"warnings_of_b\": {},\n"
        "\"channels\":\n{}}}\n",
        same, difference.same_range, json_number(options.tol), to_json(a.summary().warnings),
        to_json(b.summary().warnings), table.to_json());
  } else {
    print_text(difference, table, options.tol);
  }
  tell_of_warnings(options.a, a.summary().warnings);
  tell_of_warnings(options.b, b.summary().warnings);
  return same ? 0 : 1;
}

}  // namespace skyhook::app
