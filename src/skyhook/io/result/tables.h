// What `skyhook show` and `skyhook diff` tell of result files, as tables.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/table.h"
#include "skyhook/io/result/compare.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io {

Table run_table(const ResultFile& result);       // one row: model, experiment, solver, status, ...
std::string run_text(const ResultFile& result);  // the same as a line or two
Table channel_table(const ResultFile& result);   // name, unit, smallest, largest
// time and channels, formulas among them; of more samples than `most_rows` (0: no limit) evenly chosen ones, first and last among them.
Table value_table(const ResultFile& result, const std::vector<std::string>& channels, std::size_t most_rows);
// Formulas that are not over the samples of the result: numbers, and tables over frequency or a part of the time.
struct Formulas {
  Table numbers;
  std::vector<Table> others;
  bool any_over_samples = false;  // there is something for value_table()
};
Formulas formula_tables(const ResultFile& result, const std::vector<std::string>& channels);
// At times in between, by interpolation; two rows, before and after, at the time of an event.
Table value_table_at(const ResultFile& result, const std::vector<std::string>& channels,
                     const std::vector<double>& times);
// Of channels whose curve is a line at some of its samples (math/unresolved_rates.h): how many, and what to do.
std::vector<std::string> unresolved_notes(const ResultFile& result, const std::vector<std::string>& channels);
Table cost_table(const ResultFile& result);   // quantity, value
Table limit_table(const ResultFile& result);  // what limited the step
Table event_table(const std::vector<simulation::EventRecord>& events);
// `absent` stands where a channel is in one of the results only: NaN is null in JSON, a text reads better.
Table difference_table(const Difference& difference, double tolerance, const Cell& absent);

}  // namespace skyhook::io
