#include "skyhook/analysis/compare.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"

using namespace skyhook;
using namespace skyhook::analysis;
using formalism::testing::Linkage;

namespace {

constexpr double mass = 2, stiffness = 200, gravity = 9.81;

// A spring that can be broken from outside: then it has no force that is a number.
struct Spring : model::CoordinateElement {
  const bool& broken;
  explicit Spring(const bool& b) : broken(b) {}
  double factor() const { return broken ? std::nan("") : -stiffness; }
  double force(double x, double, double, const model::Setting&) const override { return factor() * x; }
  Dual<2> force(const Dual<2>& x, const Dual<2>&, double, const model::Setting&) const override { return factor() * x; }
  double energy(double x) const override { return 0.5 * stiffness * x * x; }
};

// A mass on a spring, released at its free length: x = -(m g / k) (1 - cos(w t)).
struct Oscillator {
  bool broken = false;
  Linkage linkage;
  model::Experiment experiment;
  simulation::Prepared prepared;

  Oscillator() {
    linkage.rod("mass", {0, 0, 0}, {mass, 0, 0});
    linkage.slide("guide", model::ground, 0, {0, 0, 0}, {0, 1, 0});
    model::Contribution f;
    f.name = "spring", f.joint = 0, f.dof = 0, f.coordinate = std::make_shared<Spring>(broken);
    linkage.model->contributions.push_back(f);
    experiment.until = 2, experiment.output_step = 0.05;
    prepared = simulation::prepare(linkage.model, experiment);
  }
  Comparison compare(const CompareOptions& o) const { return analysis::compare(prepared, experiment, o); }

  // Against the exact motion; amplitudes are below 1 m, and below 1 m/s.
  StateError exact_error(double tolerance, const std::string& solver = "ida") const {
    model::Experiment e = experiment;
    e.tolerance = tolerance, e.solver = solver;
    simulation::MemorySink sink;
    simulation::simulate(prepared, e, sink);
    StateError out;
    const double w = std::sqrt(stiffness / mass), d = mass * gravity / stiffness;
    for (std::size_t k = 0; k < sink.time.size(); ++k) {
      const double t = sink.time[k], x = -d * (1 - std::cos(w * t)), v = -d * w * std::sin(w * t);
      out.positions = std::max(out.positions, std::abs(sink.states[k][0] - x));
      out.velocities = std::max(out.velocities, std::abs(sink.states[k][1] - v));
    }
    return out;
  }
};

}  // namespace

// A method of one step: its errors fall with the tolerance without exception.
TEST_CASE("Compare: the error against the reference is the error against the exact motion") {
  const Oscillator m;
  const Comparison c = m.compare({.solvers = {"radau5"}, .tolerances = {1e-3, 1e-5, 1e-7}, .reference = {"radau5"}});
  CHECK(c.reference.run.status == "finished");
  CHECK(c.reference.run.tolerance == doctest::Approx(1e-9));
  CHECK(c.reference.check.tolerance == doctest::Approx(1e-8));
  // The estimate is no promise; here it must not be below the true error, nor above the sum of both runs' errors.
  const StateError own = m.exact_error(1e-9, "radau5");
  constexpr double rounding = 1e-14;
  CHECK(c.reference.error.positions > own.positions);
  CHECK(c.reference.error.positions <= own.positions + m.exact_error(1e-8, "radau5").positions + rounding);
  REQUIRE(c.runs.size() == 3);
  CHECK(c.planned == 3);
  CHECK_FALSE(c.interrupted);
  for (const ComparedRun& r : c.runs) {
    CAPTURE(r.tolerance);
    const StateError exact = m.exact_error(r.tolerance, "radau5");
    CHECK(std::abs(r.error.positions - exact.positions) <= own.positions + rounding);
    CHECK(std::abs(r.error.velocities - exact.velocities) <= own.velocities + rounding);
    CHECK(r.cost.steps > 0);
    CHECK(r.cost.residuals >= r.cost.steps);
    CHECK(r.cost.seconds > 0);
    CHECK_FALSE(r.at_limit);
  }
  CHECK(c.runs[1].error.positions < c.runs[0].error.positions);
  CHECK(c.runs[2].error.positions < c.runs[1].error.positions);
}

// One unknown position and one velocity: differences take two residuals by columns, and the motion is the same.
TEST_CASE("Compare: Jacobian strategies are rows of one solver, with what each has cost") {
  const Oscillator m;
  const Comparison c = m.compare({.solvers = {"bdf/ggl"},
                                  .tolerances = {1e-5},
                                  .jacobians = {"dense", "exact", "dense+partitioned"},
                                  .reference = {"radau5/ggl"}});
  REQUIRE(c.runs.size() == 3);
  CHECK(c.planned == 3);
  const Cost &dense = c.runs[0].cost, &exact = c.runs[1].cost, &partitioned = c.runs[2].cost;
  CHECK(c.runs[0].jacobian == "dense");
  CHECK(c.runs[2].name() == "bdf/ggl dense+partitioned");
  CHECK(dense.residuals_for_jacobian == 2 * dense.jacobians);
  CHECK(dense.updates == 0);
  CHECK(exact.residuals_for_jacobian == 0);
  CHECK(partitioned.updates > 0);
  CHECK(partitioned.jacobians < dense.jacobians);
  for (const ComparedRun& r : c.runs) CHECK(r.error.positions < 100 * 1e-5);
}

TEST_CASE("Compare: a strategy that its solver does not know is left out, and why is told") {
  const Oscillator m;
  const Comparison c = m.compare({.solvers = {"ida/ggl"},
                                  .tolerances = {1e-4, 1e-5},
                                  .jacobians = {"dense", "dense+partitioned"},
                                  .reference = {"ida"}});
  CHECK(c.runs.size() == 2);
  REQUIRE(c.left_out.size() == 2);
  CHECK(c.left_out[0].jacobian == "dense+partitioned");
  CHECK(c.left_out[0].reason.find("ida/ggl does not know") != std::string::npos);
  CHECK_FALSE(c.interrupted);
}

TEST_CASE("Compare: errors near that of the reference are marked") {
  const Oscillator m;
  const Comparison c = m.compare({.solvers = {"ida"}, .tolerances = {1e-3, 1e-7}, .reference = {"ida", 1e-6}});
  REQUIRE(c.runs.size() == 2);
  CHECK_FALSE(c.runs[0].at_limit);
  CHECK(c.runs[1].at_limit);
}

TEST_CASE("Compare: a run that fails or takes too long is a row with its reason") {
  Oscillator m;
  const auto break_at = [&](const SolverAtTolerance& s) { m.broken = s.tolerance == 1e-4; };
  const Comparison c =
      m.compare({.solvers = {"ida"}, .tolerances = {1e-3, 1e-4, 1e-5}, .reference = {"ida"}, .begun = break_at});
  REQUIRE(c.runs.size() == 3);
  CHECK(c.runs[0].finished());
  CHECK(c.runs[1].status == "failed");
  CHECK(std::isnan(c.runs[1].error.positions));
  CHECK_FALSE(c.runs[1].reason.empty());
  CHECK(c.runs[2].finished());

  const Comparison slow =
      m.compare({.solvers = {"ida"}, .tolerances = {1e-5}, .reference = {"ida"}, .time_limit = 1e-9});
  REQUIRE(slow.runs.size() == 1);
  CHECK(slow.runs[0].status == "stopped");
  CHECK_FALSE(slow.interrupted);
}

TEST_CASE("Compare: a reference that fails is loosened if its tolerance was chosen here") {
  Oscillator m;
  CompareOptions o{.solvers = {"ida"}, .tolerances = {1e-3}, .reference = {"ida"}};
  o.begun = [&](const SolverAtTolerance& s) { m.broken = s.tolerance < 5e-5; };
  const Comparison loosened = m.compare(o);
  CHECK(loosened.reference.run.status == "finished");
  CHECK(loosened.reference.run.tolerance == doctest::Approx(1e-4));
  CHECK(loosened.runs.size() == 1);

  o.reference.tolerance = 1e-5;
  const Comparison failed = m.compare(o);
  CHECK(failed.reference.run.status == "failed");
  CHECK(failed.runs.empty());
  CHECK_FALSE(failed.interrupted);
}

TEST_CASE("Compare: stopped by the user, the rows that are done stay") {
  const Oscillator m;
  int runs = 0;
  CompareOptions o{.solvers = {"ida"}, .tolerances = {1e-3, 1e-4, 1e-5}, .reference = {"ida"}};
  o.begun = [&](const SolverAtTolerance&) { ++runs; };
  o.should_stop = [&] { return runs == 4; };  // reference, its check, the first row, the second
  const Comparison c = m.compare(o);
  CHECK(c.interrupted);
  REQUIRE(c.runs.size() == 1);
  CHECK(c.runs[0].tolerance == 1e-3);
}

TEST_CASE("Compare: repetitions give the best time and change nothing else") {
  const Oscillator m;
  int runs = 0;
  CompareOptions o{.solvers = {"ida"}, .tolerances = {1e-4}, .reference = {"ida"}, .repeat = 3};
  o.begun = [&](const SolverAtTolerance&) { ++runs; };
  const Comparison three = m.compare(o);
  CHECK(runs == 5);
  o.repeat = 1;
  const Comparison one = m.compare(o);
  REQUIRE(three.runs.size() == 1);
  CHECK(three.runs[0].error.positions == one.runs[0].error.positions);
  CHECK(three.runs[0].cost.steps == one.runs[0].cost.steps);
}

TEST_CASE("Compare: the reference is a hundred times tighter, but not beyond double precision") {
  CHECK(reference_tolerance({1e-3, 1e-6}) == doctest::Approx(1e-8));
  CHECK(reference_tolerance({1e-3, 1e-11}) == 1e-12);
}
