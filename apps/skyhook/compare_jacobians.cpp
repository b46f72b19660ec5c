#include "compare_jacobians.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>

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

// Runs of one solver with one strategy, which stand one behind the other.
std::vector<std::span<const ComparedRun>> by_strategy(const std::vector<ComparedRun>& runs) {
  std::vector<std::span<const ComparedRun>> out;
  for (const ComparedRun& r : runs) {
    const bool goes_on = !out.empty() && out.back()[0].solver == r.solver && out.back()[0].jacobian == r.jacobian;
    out.push_back(goes_on ? std::span(out.back().data(), out.back().size() + 1) : std::span(&r, 1));
    if (goes_on) out.erase(out.end() - 2);
  }
  return out;
}

Cost sum_of(std::span<const ComparedRun> runs) {
  Cost sum;
  for (const ComparedRun& r : runs) {
    sum.steps += r.cost.steps, sum.residuals += r.cost.residuals, sum.jacobians += r.cost.jacobians;
    sum.residuals_for_jacobian += r.cost.residuals_for_jacobian;
    sum.factorisations += r.cost.factorisations, sum.seconds += r.cost.seconds;
  }
  return sum;
}

// Of strategies that finished at each of several tolerances: sums over these depend less on the steps that single runs happen to take.
Table sums_table(const analysis::Comparison& comparison) {
  Table table;
  for (const char* name : {"solver", "Jacobian", "steps", "#fc", "#fcw", "#Je", "factorisations"})
    table.add_column(name);
  table.add_column("#fcw/#fc", "%", 3), table.add_column("time", "s", 3), table.add_column("percent", "", 3);
  std::map<std::string, double> dense;  // seconds, by solver
  for (const auto runs : by_strategy(comparison.runs)) {
    if (runs.size() < 2 || !std::ranges::all_of(runs, &ComparedRun::finished)) continue;
    const Cost sum = sum_of(runs);
    const std::string& solver = runs[0].solver;
    if (runs[0].jacobian == "dense") dense[solver] = sum.seconds;
    const double percent =
        dense.contains(solver) ? 100 * sum.seconds / dense[solver] : std::numeric_limits<double>::quiet_NaN();
    const long without = sum.residuals - sum.residuals_for_jacobian;
    const double share = 100.0 * static_cast<double>(without) / static_cast<double>(sum.residuals);
    table.add_row({solver, runs[0].jacobian, sum.steps, sum.residuals, without, sum.jacobians, sum.factorisations,
                   share, sum.seconds, percent});
  }
  return table;
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
  const Table sums = sums_table(c);
  const std::string in_sum = sums.rows() == 0 ? "" : "\nSums over all tolerances:\n" + sums.to_text();
  const std::string left_out = c.left_out.empty() ? "" : "\nLeft out:\n" + left_out_table(c).to_text();
  return fmt::format(
      "{}, until {:g} s. {}\n\n{}{}\n#fc: residuals, #fcw: without those for Jacobians, #Je: Jacobian evaluations; "
      "time in percent of dense.\n{}{}",
      title_of(what), what.until, reference_text(c.reference), jacobian_table(c, Columns::brief).to_text(), in_sum,
      what.forget ? "Elements have forgotten their last answers before each residual by differences.\n" : "", left_out);
}

std::string jacobians_to_json(const Compared& what) {
  return fmt::format(
      "{{\"model\": {}, \"experiment\": {}, \"until\": {}, \"interrupted\": {}, \"forget\": {}, \"warnings\": "
      "{},\n\"reference\": {},\n\"rows\":\n{},\n"
      "\"left_out\":\n{}}}\n",
      json_string(what.model), json_string(what.experiment), json_number(what.until), what.comparison.interrupted,
      what.forget, to_json(what.warnings), reference_json(what.comparison.reference),
      jacobian_table(what.comparison, Columns::all).to_json(), left_out_table(what.comparison).to_json());
}

}  // namespace skyhook::app
