// One experiment with several solvers at several tolerances: how exact each is against a tight reference, and what it costs.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "skyhook/analysis/compare_input.h"
#include "skyhook/analysis/trajectory.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::analysis {

struct ComparedRun {
  std::string solver;
  double tolerance = 0;
  std::string jacobian = {};              // where strategies are compared: that of this run
  double absolute_tolerance = tolerance;  // the experiment's ratio to `tolerance` holds for all runs
  // "finished", "failed", "refused" (by the model), "stopped" (the time limit), "finished, but not a number", "finished at
  // other times" (than the reference has), and why.
  std::string status, reason;
  StateError error{};     // NaN unless finished
  bool at_limit = false;  // the error is so near that of the reference that it may be the reference's
  Cost cost;              // seconds: the best of all repetitions
  long samples = 0;       // of controllers
  double position_residual = 0, velocity_residual = 0;  // largest |g| and |G v + gI| at the output times
  std::vector<Warning> warnings = {};                   // beside those before any run, which all runs share
  long rejected() const { return cost.error_test_failures + cost.newton_failures; }
  // What tells its curve from the others.
  std::string name() const { return jacobian.empty() ? solver : solver + " " + jacobian; }
  bool finished() const { return status == "finished"; }
  bool began() const { return finished() || cost.steps > 0; }  // if not, it has no cost
};

// The reference and how good it is: its difference to a second run, by another solver at the same tolerance or by the same
// one at ten times the tolerance. Either overestimates its error, unless both runs err alike.
struct Reference {
  ComparedRun run;
  SolverAtTolerance check;
  StateError error;  // NaN: no second run finished
};

struct Comparison {
  Reference reference;
  std::vector<ComparedRun> runs;      // by solver and strategy as given, then loosest tolerance first
  std::vector<ComparedRun> left_out;  // with Jacobian strategies that do not fit their solver or model, and why
  std::size_t planned = 0;            // runs wanted; fewer are there if the user stopped it
  bool interrupted = false;
};

struct CompareOptions {
  std::vector<std::string> solvers;
  std::vector<double> tolerances;           // loosest first
  std::vector<std::string> jacobians = {};  // strategies to compare; none: that of the experiment alone
  SolverAtTolerance reference;  // no tolerance: one that follows from `tolerances`, loosened if a run fails with it
  std::string check;            // a solver other than the reference's; empty: the same, looser
  int repeat = 1;               // runs of each, of which the fastest counts
  bool forget = false;    // residuals of differences begin without answers that elements keep (base/kept_answers.h)
  double time_limit = 0;  // s of wall time for one run; 0: none. It does not hold for the reference.
  std::function<void(const SolverAtTolerance&)> begun;   // before each run
  std::function<bool()> should_stop;                     // ends it; runs that are done stay
  decltype(simulation::RunOptions::reread) reread = {};  // as there
};

// A hundredth of the tightest, but not below 1e-12, where rounding is felt.
double reference_tolerance(const std::vector<double>& tolerances);

// Runs everything, one after the other, since times are compared. The experiment's choice of a Jacobian holds for rows
// of `auto` and of solvers that know it, and not for the reference. A run that fails is a row with its reason. If the reference
// fails or is stopped, there are no runs.
Comparison compare(const simulation::Prepared& prepared, const model::Experiment& experiment,
                   const CompareOptions& options);

}  // namespace skyhook::analysis
