#include "skyhook/analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "skyhook/analysis/unknown.h"
#include "skyhook/base/error.h"
#include "skyhook/base/kept_answers.h"
#include "skyhook/simulation/choose_solver.h"

namespace skyhook::analysis {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct StateSink : simulation::Sink {
  Trajectory trajectory;
  void begin(const simulation::RunInfo&) override {}
  void sample(const simulation::Sample& s) override {
    if (s.side != 0) return;  // beside events, which no two runs have at the same time
    trajectory.time.push_back(s.t);
    trajectory.states.emplace_back(s.y.begin(), s.y.end());
  }
  void step(const simulation::StepRecord&) override {}
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary&) override {}
};

class Comparer {
 public:
  Comparer(const simulation::Prepared& prepared, const model::Experiment& experiment, const CompareOptions& options)
      : prepared_(prepared),
        experiment_(experiment),
        options_(options),
        jacobian_(experiment.jacobian),
        told_before_(std::ssize(simulation::warnings_before(prepared))),
        layout_(layout_of(*prepared.all)) {
    // States are recorded with or without channels; one that is cheap spares the default selection.
    experiment_.outputs = {{"energy.kinetic", "energy.kinetic", {}}};
    constexpr double most_samples = 2000;
    const double span = experiment.until - experiment.from_time;
    if (experiment_.output_step > 0) experiment_.output_step = std::max(experiment_.output_step, span / most_samples);
  }

  Comparison compare() {
    Comparison out;
    const std::vector<SolverAtTolerance> rows = planned();
    out.planned = rows.size();
    out.reference = find_reference();
    for (const SolverAtTolerance& row : rows) {
      if (stopped() || !out.reference.run.finished()) break;
      ComparedRun run = best_of(row, out.reference);
      if (!row.jacobian.empty() && run.status == "refused")
        out.left_out.push_back(std::move(run));
      else if (!stopped() || run.finished())
        out.runs.push_back(std::move(run));
    }
    out.interrupted = stopped() && out.runs.size() + out.left_out.size() < out.planned;
    return out;
  }

 private:
  std::vector<SolverAtTolerance> planned() const {
    std::vector<SolverAtTolerance> rows;
    const std::vector<std::string> no_choice{""};
    for (const std::string& solver : options_.solvers) {
      for (const std::string& jacobian : options_.jacobians.empty() ? no_choice : options_.jacobians) {
        for (const double tolerance : options_.tolerances) rows.push_back({solver, tolerance, jacobian});
      }
    }
    return rows;
  }

  bool stopped() const { return options_.should_stop && options_.should_stop(); }

  // Exact, and without a limit: the reference and its check.
  ComparedRun run_exactly(const SolverAtTolerance& what, Trajectory& trajectory) {
    experiment_.jacobian = "auto";
    return run(what, 0, trajectory);
  }

  ComparedRun run_row(const SolverAtTolerance& what, Trajectory& trajectory) {
    const bool has_choice =
        what.solver == "auto" || simulation::has_jacobian(simulation::find_solver(what.solver, {}), jacobian_);
    experiment_.jacobian = !what.jacobian.empty() ? what.jacobian : has_choice ? jacobian_ : "auto";
    return run(what, options_.time_limit, trajectory);
  }

  ComparedRun run(const SolverAtTolerance& what, double time_limit, Trajectory& trajectory) {
    if (options_.begun) options_.begun(what);
    experiment_.solver = what.solver;
    model::set_tolerance(experiment_, what.tolerance);
    ComparedRun out{what.solver, what.tolerance, what.jacobian};
    if (experiment_.absolute_tolerance > 0) out.absolute_tolerance = experiment_.absolute_tolerance;
    out.error = {unknown, unknown};
    if (!what.jacobian.empty() && what.solver != "auto" &&
        !simulation::is_implicit(simulation::find_solver(what.solver, {}))) {
      out.status = "refused", out.reason = "The method has no Jacobian: there is nothing to compare.";
      return out;
    }
    StateSink sink;
    const KeptAnswers::Forgetting forgetting(options_.forget);
    const double end = time_limit > 0 ? now() + time_limit : std::numeric_limits<double>::infinity();
    const auto should_stop = [&] { return stopped() || now() > end; };
    try {
      const simulation::RunSummary s =
          simulation::simulate(prepared_, experiment_, sink, {{}, should_stop, options_.reread});
      out.status = to_text(s.status), out.reason = s.reason, out.cost = s.cost, out.samples = s.samples;
      if (what.solver == "auto") out.solver = "auto (" + s.solver + ")";
      out.position_residual = s.position_residual, out.velocity_residual = s.velocity_residual;
      out.warnings.assign(s.warnings.begin() + told_before_, s.warnings.end());
      if (s.status == simulation::RunStatus::interrupted && !stopped())
        out.status = "stopped",
        out.reason = fmt::format("After {:g} s it had reached t = {:.4g} s.", time_limit, s.t_reached);
    } catch (const ModelError& e) {
      out.status = "refused", out.reason = e.what();
    } catch (const std::exception& e) {
      out.status = "failed", out.reason = e.what();
    }
    trajectory = std::move(sink.trajectory);
    const std::optional<double> bad = out.finished() ? first_not_finite(trajectory) : std::nullopt;
    if (bad) out.status = "finished, but not a number", out.reason = fmt::format("From t = {:.4g} s on.", *bad);
    return out;
  }

  Reference find_reference() {
    Reference out;
    SolverAtTolerance what = options_.reference;
    const bool chosen_here = !(what.tolerance > 0);
    const double tightest = *std::min_element(options_.tolerances.begin(), options_.tolerances.end());
    if (chosen_here) what.tolerance = reference_tolerance(options_.tolerances);
    out.run = run_exactly(what, reference_);
    const auto wants_looser = [&] {
      return chosen_here && !out.run.finished() && out.run.status != "refused" && 10 * what.tolerance < tightest;
    };
    while (wants_looser() && !stopped()) {
      what.tolerance = rounded(10 * what.tolerance);
      out.run = run_exactly(what, reference_);
    }
    out.error = {unknown, unknown};
    if (!out.run.finished()) return out;
    const SolverAtTolerance looser{what.solver, std::min(rounded(10 * what.tolerance), loosest_tolerance)};
    out.check = options_.check.empty() ? looser : SolverAtTolerance{options_.check, what.tolerance};
    if (!estimate_error(out) && !options_.check.empty() && !stopped()) out.check = looser, estimate_error(out);
    return out;
  }

  bool estimate_error(Reference& out) {
    Trajectory other;
    if (!run_exactly(out.check, other).finished()) return false;
    out.error = state_error(other, reference_, layout_);
    return true;
  }

  ComparedRun best_of(const SolverAtTolerance& what, const Reference& reference) {
    Trajectory trajectory;
    ComparedRun out = run_row(what, trajectory);
    if (!out.finished()) return out;
    if (trajectory.time != reference_.time) {
      out.status = "finished at other times", out.reason = "Its output times are not those of the reference.";
      if (!trajectory.time.empty() && trajectory.time.back() != reference_.time.back())
        out.reason = fmt::format("Its last sample is at {:g} s, that of the reference at {:g} s.",
                                 trajectory.time.back(), reference_.time.back());
      return out;
    }
    out.error = state_error(trajectory, reference_, layout_);
    // |measured - true error| is at most the reference's: from three times that on, a measured error is right within a third.
    out.at_limit = out.error.positions < 3 * reference.error.positions;
    for (int k = 1; k < options_.repeat && !stopped(); ++k) {
      const ComparedRun again = run_row(what, trajectory);
      if (again.finished()) out.cost.seconds = std::min(out.cost.seconds, again.cost.seconds);
    }
    return out;
  }

  const simulation::Prepared& prepared_;
  model::Experiment experiment_;
  const CompareOptions& options_;
  std::string jacobian_;
  std::ptrdiff_t told_before_;
  StateLayout layout_;
  Trajectory reference_;
};

}  // namespace

double reference_tolerance(const std::vector<double>& tolerances) {
  return std::max(rounded(1e-2 * *std::min_element(tolerances.begin(), tolerances.end())), 1e-12);
}

Comparison compare(const simulation::Prepared& prepared, const model::Experiment& experiment,
                   const CompareOptions& options) {
  return Comparer(prepared, experiment, options).compare();
}

}  // namespace skyhook::analysis
