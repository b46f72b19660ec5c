#include "compare_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/base/utf8.h"
#include "warnings_of_runs.h"

namespace skyhook::app {
namespace {

using analysis::ComparedRun;
using analysis::Reach;
using analysis::SolverVerdict;

std::string brief(const std::string& reason) {
  constexpr std::size_t most = 80;
  return shortened(reason.substr(0, reason.find('\n')), most);
}

const char* name_of(Reach reach) {
  constexpr const char* names[] = {"interpolated", "at_most", "not_for_sure", "not_reached"};
  return names[static_cast<int>(reach)];
}

std::string note_of(const SolverVerdict& v) {
  if (v.reach == Reach::at_most) return "at most: its loosest run is better";
  if (v.reach == Reach::not_for_sure) return "not for sure: its errors do not fall, a tighter run is worse";
  if (v.reach == Reach::interpolated) return "";
  return std::isnan(v.best_error) ? "no run finished"
                                  : fmt::format("not reached: its best error is {:.2g}", v.best_error);
}

Cell per_sample(const ComparedRun& r, long number) {
  return r.samples > 0 ? static_cast<double>(number) / static_cast<double>(r.samples)
                       : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void add_column(Table& table, Columns columns, const char* name, const char* title, const char* unit) {
  if (columns == Columns::all)
    table.add_column(name);
  else
    table.add_column(title, unit, 3);
}

Cell counted(const ComparedRun& r, long number) {
  return r.began() ? Cell(number) : Cell(std::numeric_limits<double>::quiet_NaN());
}
Cell measured(const ComparedRun& r, double number) {
  return r.began() ? number : std::numeric_limits<double>::quiet_NaN();
}

std::string note_of(const ComparedRun& r) {
  if (!r.reason.empty()) return brief(r.reason);
  return r.at_limit ? "at the reference's limit" : "";
}

std::string reference_text(const analysis::Reference& r) {
  const double ratio = r.run.absolute_tolerance / r.run.tolerance;
  const std::string absolute =
      ratio == 1 ? ""
                 : fmt::format("All absolute tolerances are {:.3g} times the relative ones, which stand here. ", ratio);
  const std::string what = absolute + fmt::format("Reference: {} at {:g}. ", r.run.solver, r.run.tolerance);
  if (std::isnan(r.error.positions)) return what + "No second run finished to estimate its error.";
  return what + fmt::format("Its estimated error is {:.1e} (positions) and {:.1e} (velocities), from {} at {:g}.",
                            r.error.positions, r.error.velocities, r.check.solver, r.check.tolerance);
}

std::string reference_json(const analysis::Reference& r) {
  return fmt::format(
      "{{\"solver\": {}, \"tolerance\": {}, \"absolute_tolerance\": {}, \"status\": {}, \"reason\": {}, "
      "\"position_error\": {}, "
      "\"velocity_error\": {}, \"check_solver\": {}, "
      "\"check_tolerance\": {}, \"steps\": {}, \"seconds\": {}, \"warnings\": {}}}",
      json_string(r.run.solver), json_number(r.run.tolerance), json_number(r.run.absolute_tolerance),
      json_string(r.run.status), json_string(r.run.reason), json_number(r.error.positions),
      json_number(r.error.velocities), json_string(r.check.solver), json_number(r.check.tolerance), r.run.cost.steps,
      json_number(r.run.cost.seconds), skyhook::to_json(r.run.warnings));
}

std::string title_of(const Compared& what) {
  return printable(what.experiment.empty() ? what.model : what.model + ", " + what.experiment);
}

Table run_table(const analysis::Comparison& comparison, Columns columns) {
  Table table;
  const auto add = [&](const char* name, const char* title, const char* unit = "") {
    add_column(table, columns, name, title, unit);
  };
  add("solver", "solver"), add("tolerance", "tolerance"), add("status", "status");
  add("position_error", "error q"), add("velocity_error", "error v");
  add("steps", "steps"), add("rejected", "rejected"), add("evaluations", "evaluations");
  add("jacobians", "Jacobians"), add("factorisations", "factorisations"), add("seconds", "time", "s");
  const bool sampled =
      std::any_of(comparison.runs.begin(), comparison.runs.end(), [](const ComparedRun& r) { return r.samples > 0; });
  if (sampled) add("steps_per_sample", "steps/sample"), add("evaluations_per_sample", "evaluations/sample");
  add("position_residual", "|g|"), add("velocity_residual", "|G v|");
  if (columns == Columns::all)
    for (const char* name : {"at_limit", "absolute_tolerance", "warnings", "reason"}) table.add_column(name);
  const bool notes = std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                 [](const ComparedRun& r) { return !note_of(r).empty(); });
  if (columns == Columns::brief && notes) table.add_column("note");
  for (const ComparedRun& r : comparison.runs) {
    std::vector<Cell> row{r.solver, r.tolerance, r.status, r.error.positions, r.error.velocities};
    for (const long n : {r.cost.steps, r.rejected(), r.cost.residuals, r.cost.jacobians, r.cost.factorisations})
      row.push_back(counted(r, n));
    row.push_back(measured(r, r.cost.seconds));
    if (sampled) row.insert(row.end(), {per_sample(r, r.cost.steps), per_sample(r, r.cost.residuals)});
    for (const double x : {r.position_residual, r.velocity_residual}) row.push_back(measured(r, x));
    if (columns == Columns::all)
      row.insert(row.end(), {static_cast<long>(r.at_limit), r.absolute_tolerance, cell_of(r.warnings), r.reason});
    if (columns == Columns::brief && notes) row.emplace_back(note_of(r));
    table.add_row(row);
  }
  return table;
}

Table verdict_table(const analysis::Verdict& verdict, Columns columns) {
  Table table;
  const auto add = [&](const char* name, const char* title, const char* unit = "") {
    add_column(table, columns, name, title, unit);
  };
  add("solver", "solver"), add("seconds", "time", "s"), add("ratio", "ratio"), add("evaluations", "evaluations");
  add("slope", "error ~ tolerance^"), add("best_error", "best error"), add("reach", "note");
  for (const SolverVerdict& v : verdict.solvers)
    table.add_row({v.solver, v.seconds, v.ratio, v.evaluations, v.slope, v.best_error,
                   columns == Columns::all ? name_of(v.reach) : note_of(v)});
  return table;
}

std::string to_text(const Compared& what) {
  return fmt::format("{}, until {:g} s. {}\n\n{}\nTo an error of {:g} in the positions:\n{}{}\n", title_of(what),
                     what.until, reference_text(what.comparison.reference),
                     run_table(what.comparison, Columns::brief).to_text(), what.verdict.error,
                     verdict_table(what.verdict, Columns::brief).to_text(), analysis::sentence(what.verdict));
}

std::string to_json(const Compared& what) {
  return fmt::format(
      "{{\"model\": {}, \"experiment\": {}, \"until\": {}, \"interrupted\": {}, \"warnings\": {},\n\"reference\": "
      "{},\n\"rows\":\n{},\n"
      "\"verdict\": {{\"error\": {}, \"text\": {}, \"solvers\":\n{}}}}}\n",
      json_string(what.model), json_string(what.experiment), json_number(what.until), what.comparison.interrupted,
      skyhook::to_json(what.warnings), reference_json(what.comparison.reference),
      run_table(what.comparison, Columns::all).to_json(), json_number(what.verdict.error),
      json_string(analysis::sentence(what.verdict)), verdict_table(what.verdict, Columns::all).to_json());
}

}  // namespace skyhook::app
