#include <fmt/core.h>

#include <limits>

#include "commands.h"
#include "skyhook/io/result/tables.h"
#include "warnings_of_runs.h"

namespace skyhook::app {
namespace {

std::string verdict(const io::Difference& difference, const DiffOptions& o) {
  if (difference.within(o.tol, o.common)) return fmt::format("Same within {:g}.", o.tol);
  if (difference.within(o.tol, true))
    return fmt::format(
        "Same within {:g} as far as both go, but one of them ends earlier: not the same (--common does without the "
        "rest).",
        o.tol);
  return fmt::format("Not the same within {:g}.", o.tol);
}

void print_text(const io::Difference& difference, const Table& table, const DiffOptions& o) {
  fmt::print("{}", table.to_text());
  if (!difference.same_range())
    fmt::print("The runs do not cover the same time; compared from {:g} s to {:g} s, where both have samples.\n",
               difference.from, difference.to);
  else if (!difference.same_times)
    fmt::print("The samples are at different times; the second result is interpolated at those of the first.\n");
  fmt::print("{}\n", verdict(difference, o));
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
  const bool same = difference.within(options.tol, options.common);
  if (options.json) {
    fmt::print(
        "{{\"same\": {}, \"same_range\": {}, \"from\": {}, \"to\": {}, \"tolerance\": {}, \"warnings_of_a\": {}, "
        "\"warnings_of_b\": {},\n"
        "\"channels\":\n{}}}\n",
        same, difference.same_range(), json_number(difference.from), json_number(difference.to),
        json_number(options.tol), to_json(a.summary().warnings), to_json(b.summary().warnings), table.to_json());
  } else {
    print_text(difference, table, options);
  }
  tell_of_warnings(options.a, a.summary().warnings);
  tell_of_warnings(options.b, b.summary().warnings);
  return same ? 0 : 1;
}

}  // namespace skyhook::app
