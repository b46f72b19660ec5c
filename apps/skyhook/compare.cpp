#include "skyhook/analysis/compare.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "compare_jacobians.h"
#include "compare_output.h"
#include "interrupt.h"
#include "model_commands.h"
#include "refuse.h"
#include "screen.h"
#include "skyhook/analysis/start.h"
#include "skyhook/analysis/verdict.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_comparison.h"
#include "skyhook/simulation/solvers.h"
#include "terminal.h"
#include "warnings_of_runs.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

// The solver of the reference unless --reference names one, and another that confirms it.
constexpr const char* reference_solver = "radau5/ggl";
constexpr const char* check_solver = "ida/ggl";
constexpr const char* usual_tolerances = "1e-3..1e-8";
constexpr const char* jacobian_solver = "bdf/ggl";  // knows all strategies

analysis::SolverNames solver_names() {
  const auto resolve = [](const std::string& written) {
    return written == "auto" ? written : simulation::find_solver(written, {"command line"}).name();
  };
  analysis::SolverNames names{.working = simulation::usable_solvers(), .resolve = resolve};
  const auto of_order_2 = simulation::usable_solvers_of_order_2();
  for (const auto& integrator : simulation::integrators()) {
    const std::string pair = resolve(integrator.name);
    if (std::ranges::count(of_order_2, pair) == 0) names.recommended.push_back(pair);  // at 1e-8 they take very long
  }
  names.working.insert(names.working.end(), of_order_2.begin(), of_order_2.end());
  for (const auto& s : simulation::all_solvers()) {
    if (s.grade == simulation::Grade::study_only) names.study.push_back(s.solver.name());
  }
  return names;
}

// A solver that confirms the reference must be another one; empty: the same, looser.
std::string check_of(const std::string& reference) {
  if (reference == "auto") return "";
  return reference == check_solver ? reference_solver : check_solver;
}

// Before any run: a comparison may take long, and only its end writes.
void refuse_bad_compare(const CompareCommand& o) {
  refuse_bad_values(o);
  if (o.json && (o.csv == "-" || o.terminal))
    refuse("--json and --csv - or --terminal both print to standard output.", "Give --csv or --out a file.");
  if (o.csv == "-" && o.terminal) refuse("--csv - and --terminal both print to standard output.", "Give --csv a file.");
  if (o.repeat < 1 || o.repeat > 1000)
    refuse(fmt::format("--repeat is {}, but must be 1 to 1000.", o.repeat), "Usual are 3 to 5, for small models.");
  if (!(o.time_limit >= 0))
    refuse(fmt::format("--time-limit is {}, but must not be negative.", o.time_limit), "It is in s; 0 is none.");
  if (o.target && !(*o.target > 0 && *o.target < 1))
    refuse(fmt::format("--target is {}, but must be between 0 and 1.", *o.target), "For example --target 1e-5.");
  if (o.jacobians && o.jacobian)
    refuse("--jacobian is one strategy and --jacobians compares several.", "Leave one of them out.");
  if (o.forget && !o.jacobians)
    refuse("--forget is for Jacobians by differences.", "Add --jacobians with the strategies to compare.");
  if (o.csv && o.csv->empty()) refuse("--csv is given without a file name.", "Give one, or - for standard output.");
  if (o.csv) check_writable(*o.csv);
  if (!o.out) return;
  const std::string ending = std::filesystem::path(*o.out).extension().string();
  if (ending != ".svg" && ending != ".png")
    refuse("--out " + *o.out + " is no picture that can be written.", "Its name ends in .svg or .png.");
  check_writable(*o.out);
}

// Strategies are compared at the tolerance of the experiment, solvers over many.
std::vector<double> tolerances_of(const CompareCommand& o, const model::Experiment& experiment) {
  if (o.jacobians && o.tolerances.empty()) return {experiment.tolerance};
  return analysis::parse_tolerances(o.tolerances.empty() ? usual_tolerances : o.tolerances);
}

analysis::CompareOptions plan_of(const CompareCommand& o, const model::Experiment& experiment) {
  const analysis::SolverNames names = solver_names();
  const std::string solvers = o.jacobians && o.solvers.empty() ? jacobian_solver : o.solvers;
  analysis::CompareOptions out{.solvers = analysis::expand_solvers(solvers, names),
                               .tolerances = tolerances_of(o, experiment),
                               .reference = {reference_solver},
                               .repeat = o.repeat,
                               .forget = o.forget,
                               .time_limit = o.time_limit,
                               .should_stop = stop_requested};
  if (!o.reference.empty()) out.reference = analysis::parse_reference(o.reference, names);
  if (o.jacobians) out.jacobians = analysis::parse_jacobians(*o.jacobians);
  out.check = check_of(out.reference.solver);
  return out;
}

// On a terminal one line that is rewritten; elsewhere a line a run.
class RunProgress {
 public:
  RunProgress(std::size_t rows, bool quiet) : rows_(rows), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
  void begun(const analysis::SolverAtTolerance& s) {
    if (quiet_) return;
    ++runs_;
    const std::string run = fmt::format("run {} of about {}: {}{} at {:g}", runs_, rows_, s.solver,
                                        s.jacobian.empty() ? "" : " " + s.jacobian, s.tolerance);
    print_control(stderr, terminal_ ? "\r\x1b[K" + run : run + "\n");
  }
  void finish() const {
    if (!quiet_ && terminal_) print_control(stderr, "\r\x1b[K");
  }

 private:
  std::size_t rows_, runs_ = 0;
  bool quiet_, terminal_;
};

std::string json_of(const CompareCommand& o, const Compared& what) {
  return o.jacobians ? jacobians_to_json(what) : to_json(what);
}

void print_results(const CompareCommand& o, const Compared& what) {
  const io::plot::Figure figure = io::plot::figure_of(what.comparison, title_of(what));
  const bool strategies = o.jacobians.has_value();
  if (o.json)
    fmt::print("{}", json_of(o, what));
  else if (o.csv != "-")
    fmt::print("{}", strategies ? jacobians_to_text(what) : to_text(what));
  if (o.terminal) print_control(stdout, "\n" + io::plot::to_terminal(figure, screen_of_terminal(figure.panels.size())));
  // Last: it may fail, and the table is expensive to make again.
  const auto table = strategies ? jacobian_table : run_table;
  if (o.csv) write_text(*o.csv, table(what.comparison, Columns::all).to_csv());
  if (o.out) io::plot::write_figure(figure, {.width = 900, .height = 720}, *o.out);
}

int tell_no_rows(const CompareCommand& o, const Compared& what) {
  if (o.json) fmt::print("{}", json_of(o, what));
  if (what.comparison.interrupted)
    return fmt::print(stderr, "Interrupted before there was anything to compare.\n"), interrupted;
  const analysis::ComparedRun& r = what.comparison.reference.run;
  fmt::print(stderr, "{}: the reference, {} at {:g}, {}. {}\n  Give another with --reference SOLVER@TOLERANCE.\n",
             o.model, r.solver, r.tolerance, r.status == "refused" ? "was refused" : "failed", r.reason);
  return numerical_failure;
}

int tell_no_start(const CompareCommand& o, Compared what, const std::string& problem) {
  what.comparison.reference.run.status = "failed", what.comparison.reference.run.reason = problem;
  if (o.json) fmt::print("{}", json_of(o, what));
  fmt::print(stderr, "{}: no run can start. {}\n", o.model, problem);
  return numerical_failure;
}

std::vector<RunWarnings> warnings_of(const std::vector<analysis::ComparedRun>& runs) {
  std::vector<RunWarnings> all;
  for (const auto& r : runs) all.push_back({fmt::format("{} at {:g}", r.name(), r.tolerance), r.warnings});
  return all;
}

}  // namespace

int compare(const CompareCommand& options) {
  refuse_bad_compare(options);
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(options, "simulate", experiment));
  keep_inputs({options.csv.value_or(""), options.out.value_or("")}, m->files);
  override_experiment(options, experiment);
  analysis::CompareOptions plan = plan_of(options, experiment);
  if (options.absolute_tolerance) experiment.tolerance = plan.tolerances.front();
  const simulation::Prepared p = analysis::prepare(m, experiment);
  Compared what{m->name, experiment.name, experiment.until, simulation::warnings_before(p), options.forget};
  print_warnings(what.warnings);
  if (!p.ok()) return tell_no_start(options, what, p.problem());
  const std::size_t rows =
      plan.solvers.size() * plan.tolerances.size() * std::max<std::size_t>(plan.jacobians.size(), 1);
  RunProgress progress(2 + rows * static_cast<std::size_t>(plan.repeat), options.quiet || options.json);
  plan.begun = [&](const analysis::SolverAtTolerance& s) { progress.begun(s); };
  plan.reread = rereader(options, experiment.name);
  stop_on_signals();
  what.comparison = analysis::compare(p, experiment, plan);
  what.verdict = analysis::judge(what.comparison, options.target);
  progress.finish();
  const auto& runs = what.comparison.runs;
  if (runs.empty() && what.comparison.left_out.empty()) return tell_no_rows(options, what);
  print_results(options, what);
  print_warnings_of_runs(warnings_of(runs), "runs");
  if (what.comparison.interrupted)
    fmt::print(stderr, "Interrupted: {} of {} rows are missing.\n",
               rows - runs.size() - what.comparison.left_out.size(), rows);
  const bool any = std::any_of(runs.begin(), runs.end(), [](const auto& r) { return r.finished(); });
  return what.comparison.interrupted ? interrupted : any ? success : numerical_failure;
}

}  // namespace skyhook::app
