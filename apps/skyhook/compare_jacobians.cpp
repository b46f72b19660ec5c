#include "compare_jacobians.h"

#include <fmt/format.h>

#include <limits>

#include "warnings_of_runs.h"

namespace skyhook::app {
namespace {

using analysis::ComparedRun;

// Time in percent of that of dense differences, same solver and tolerance, as [Arnold 2006] has it. NaN where there is
// no such run.
double percent(const analysis::Comparison& comparison, const ComparedRun& run) {
  for (const ComparedRun& r : comparison.runs) {
    if (r.jacobian == "dense" && r.solver == run.solver && r.tolerance == run.tolerance && r.finished())
      return 100 * run.cost.seconds / r.cost.seconds;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::string one_line(std::string text) {
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

}  // namespace

Table jacobian_table(const analysis::Comparison& comparison, Columns columns) {
  Table table;
  const auto add = [&](const char* name, const char* title, const char* unit = "") {
    add_column(table, columns, name, title, unit);
  };
  add("solver", "solver"), add("jacobian", "Jacobian"), add("tolerance", "tolerance"), add("status", "status");
  add("position_error", "error q"), add("velocity_error", "error v"), add("steps", "steps");
  add("residuals", "#fc"), add("residuals_without_jacobian", "#fcw"), add("jacobians", "#Je");
  add("updates", "updates"), add("factorisations", "factorisations");
  add("seconds", "time", "s"), add("percent", "percent");
  if (columns == Columns::all) {
    for (const char* name : {"at_limit", "absolute_tolerance", "warnings"}) table.add_column(name);
  }
  add("reason", "note");
  for (const ComparedRun& r : comparison.runs) {
    const Cost& c = r.cost;
    std::vector<Cell> row{r.solver, r.jacobian, r.tolerance, r.status, r.error.positions, r.error.velocities};
    for (const long n :
         {c.steps, c.residuals, c.residuals - c.residuals_for_jacobian, c.jacobians, c.updates, c.factorisations})
      row.push_back(counted(r, n));
    row.insert(row.end(), {measured(r, c.seconds), measured(r, percent(comparison, r))});
    if (columns == Columns::all)
      row.insert(row.end(), {static_cast<long>(r.at_limit), r.absolute_tolerance, cell_of(r.warnings)});
    row.emplace_back(columns == Columns::all ? r.reason : note_of(r));
    table.add_row(row);
  }
  return table;
}

Table left_out_table(const analysis::Comparison& comparison) {
  Table table;
  for (const char* name : {"solver", "jacobian", "reason"}) table.add_column(name);
  for (std::size_t k = 0; k < comparison.left_out.size(); ++k) {
    const ComparedRun& r = comparison.left_out[k];
    const bool told = k > 0 && r.name() == comparison.left_out[k - 1].name();  // at another tolerance
    if (!told) table.add_row({r.solver, r.jacobian, one_line(r.reason)});
  }
  return table;
}

std::string jacobians_to_text(const Compared& what) {
  const analysis::Comparison& c = what.comparison;
  const std::string left_out = c.left_out.empty() ? "" : "\nLeft out:\n" + left_out_table(c).to_text();
  return fmt::format(
      "{}, until {:g} s. {}\n\n{}\n#fc: residuals, #fcw: without those for Jacobians, #Je: Jacobian evaluations; time "
      "in "
      "percent of dense.\n{}",
      title_of(what), what.until, reference_text(c.reference), jacobian_table(c, Columns::brief).to_text(), left_out);
}

std::string jacobians_to_json(const Compared& what) {
  return fmt::format(
      "{{\"model\": {}, \"experiment\": {}, \"until\": {}, \"interrupted\": {}, \"warnings\": {},\n\"reference\": "
      "{},\n\"rows\":\n{},\n"
      "\"left_out\":\n{}}}\n",
      json_string(what.model), json_string(what.experiment), json_number(what.until), what.comparison.interrupted,
      to_json(what.warnings), reference_json(what.comparison.reference),
      jacobian_table(what.comparison, Columns::all).to_json(), left_out_table(what.comparison).to_json());
}

}  // namespace skyhook::app
