// Every solver that is recommended or works must find the same motion: random damped mechanisms with closed loops, one or two
// degrees of freedom, for 1 s, against a reference at 1e-11. Andrews' mechanism, with its published digits, is in
// andrews.test.cpp.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::string point(const std::array<double, 3>& p) const { return fmt::format("[{}, {}, {}]", p[0], p[1], p[2]); }
  std::string inertia(double mass) {
    const double i = mass * between(0.02, 0.05);
    return fmt::format("mass: {} kg, inertia: [{}, {}, {}]", mass, i, i * between(1.0, 1.3), i * between(0.9, 1.2));
  }

 private:
  std::mt19937 engine_;
};

std::string head(const std::string& joints, const std::string& bodies, const std::string& forces) {
  return "skyhook: 1\nname: random\nbodies:\n" + bodies + "joints:\n" + joints + "forces:\n" + forces +
         "experiments: {run: {until: 1 s, output_step: 50 ms}}\n";
}

std::string damped(Random& r, const std::string& joint) {
  return fmt::format(
      "  d_{0}: {{type: spring_damper, joint: {0}.angle, angular_stiffness: {1}, angular_damping: {2}}}\n", joint,
      r.between(2, 8), r.between(0.4, 1.2));
}

// Plane chain of links between two points of the ground, all hinges about y: n links have n - 2 degrees of freedom. The last
// hinge closes the loop.
std::string plane_loop(Random& r, int links) {
  std::string bodies, joints, forces;
  const double width = r.between(0.8, 1.2) * links / 3;
  std::array<double, 3> from{0, 0, 0};
  for (int k = 0; k < links; ++k) {
    const bool last = k + 1 == links;
    const double part = static_cast<double>(k + 1) / links;
    const std::array<double, 3> to{last ? width : width * part + r.between(-0.05, 0.05), 0,
                                   last ? 0.0 : -r.between(0.3, 0.6)};
    bodies += fmt::format("  b{}: {{{}, at: {}}}\n", k, r.inertia(r.between(0.8, 2)),
                          r.point({0.5 * (from[0] + to[0]), 0, 0.5 * (from[2] + to[2])}));
    const std::string before = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    joints += fmt::format("  j{}: {{type: revolute, from: {}, to: b{}, at: {}, axis: y, cut: false}}\n", k, before, k,
                          r.point(from));
    forces += damped(r, fmt::format("j{}", k));
    from = to;
  }
  joints +=
      fmt::format("  close: {{type: revolute, from: b{}, to: ground, at: {}, axis: y}}\n", links - 1, r.point(from));
  return head(joints, bodies, forces);
}

// Crank, coupler on two balls (quaternions), rocker: one degree of freedom and the coupler's spin about its own axis.
std::string spatial_loop(Random& r) {
  const std::array<double, 3> a{0.05, r.between(-0.1, 0.1), r.between(0.15, 0.25)};
  const std::array<double, 3> b{r.between(0.7, 0.9), r.between(0.2, 0.4), r.between(0.35, 0.5)}, d{0.9, 0.3, 0};
  std::string bodies = fmt::format("  crank: {{{}, at: {}}}\n", r.inertia(r.between(1, 2)), r.point(a));
  bodies += fmt::format("  coupler: {{{}, at: {}}}\n", r.inertia(r.between(0.8, 1.5)),
                        r.point({0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])}));
  bodies += fmt::format("  rocker: {{{}, at: {}}}\n", r.inertia(r.between(1, 2)), r.point(b));
  std::string joints = "  left: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y}\n";
  joints +=
      fmt::format("  right: {{type: revolute, from: ground, to: rocker, at: {}, axis: [0.3, 1, 0.1]}}\n", r.point(d));
  joints += fmt::format("  ball_a: {{type: spherical, from: crank, to: coupler, at: {}}}\n", r.point(a));
  joints += fmt::format("  ball_b: {{type: spherical, from: coupler, to: rocker, at: {}}}\n", r.point(b));
  return head(joints, bodies, damped(r, "left") + damped(r, "right"));
}

struct Errors {
  double position = 0, velocity = 0;
};

// Largest difference at any output time: of positions absolute (rad, m), of velocities relative to the largest speed or 1.
Errors difference(const simulation::MemorySink& a, const simulation::MemorySink& b, std::size_t nq) {
  REQUIRE(a.time == b.time);
  Errors e;
  double speed = 1;
  for (std::size_t k = 0; k < a.states.size(); ++k) {
    for (std::size_t i = 0; i < a.states[k].size(); ++i) {
      const double d = std::abs(a.states[k][i] - b.states[k][i]);
      if (i >= nq) speed = std::max(speed, std::abs(b.states[k][i]));
      (i < nq ? e.position : e.velocity) = std::max(i < nq ? e.position : e.velocity, d);
    }
  }
  e.velocity /= speed;
  return e;
}

void check_agreement(const std::string& text) {
  auto loaded = testing::load_text(text, {.outputs = {"energy.balance"}});
  const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(prepared.degrees_of_freedom() >= 1);
  CHECK(prepared.degrees_of_freedom() <= 2);
  CHECK(prepared.rank.rank >= 2);
  const auto nq = static_cast<std::size_t>(prepared.all->nq());
  const auto simulated = [&](const std::string& solver, double tolerance) {
    simulation::MemorySink sink;
    loaded.experiment.largest_step = loaded.experiment.until;  // the tolerance alone decides
    loaded.experiment.solver = solver, loaded.experiment.tolerance = tolerance;
    const auto summary = simulation::simulate(prepared, loaded.experiment, sink);
    REQUIRE_MESSAGE(summary.status == simulation::RunStatus::finished,
                    solver << " at " << tolerance << ": " << summary.reason);
    return sink;
  };
  const auto reference = simulated("radau5/ggl", 1e-11);
  for (const std::string& solver : simulation::usable_solvers()) {
    double before = 1;
    for (double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Errors e = difference(simulated(solver, tolerance), reference, nq);
      const double error = std::max(e.position, e.velocity);
      CHECK_MESSAGE(error <= 100 * tolerance,
                    solver << " at " << tolerance << ": " << e.position << ", " << e.velocity);
      CHECK_MESSAGE(error < before,
                    solver << " at " << tolerance << " errs " << error << ", at the looser one " << before);
      before = error;
    }
  }
}

}  // namespace

TEST_CASE("Random damped loops: every usable solver errs by 100 tolerances at most, and less with a tighter one") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    for (int links : {3, 4}) {
      CAPTURE(seed);
      CAPTURE(links);
      Random r(seed);
      check_agreement(plane_loop(r, links));
    }
    CAPTURE(seed);
    Random r(100 + seed);
    check_agreement(spatial_loop(r));
  }
}

// Two of Bennett's five conditions carry the motion, and which two must change again and again: where the chosen
// ones lose their rank the others open. Relative to the 28 rad of 5 s the worst is 5e-5 (ida), but for bdf/index2_projected:
// its error depends on rounding, with twice the steps that it takes at 1e-7, where it is 1e-6. Why is not known. At tolerances of 0.9, 0.97,
// 1, 1.03, 1.1, 1.2e-6 it was 4e-5, 3e-5, 1.9e-4, 4.0e-4, 7e-5, 7e-5 before, and 4e-5, 2e-5, 3.3e-4, 3.2e-4, 1.3e-4, 7e-5 after the start
// had changed in its last digits.
TEST_CASE("Bennett: every usable solver changes the constraint rows in time, whatever the output step") {
  auto loaded = testing::load("mechanisms/bennett", {.tolerance = 1e-11, .output_step = 0.5, .outputs = {"P0.angle"}});
  loaded.experiment.solver = "radau5/ggl";
  const double exact = testing::run(loaded).last("P0.angle");
  for (const std::string& solver : simulation::usable_solvers()) {
    for (const double output_step : {0.5, 0.005}) {
      loaded.experiment.solver = solver, loaded.experiment.tolerance = 1e-6,
      loaded.experiment.output_step = output_step;
      const auto r = testing::run(loaded);
      const double bound = solver == "bdf/index2_projected" ? 5e-4 : 1e-4;
      CHECK_MESSAGE(std::abs(r.last("P0.angle") / exact - 1) < bound, solver << ": " << r.last("P0.angle") - exact);
      CHECK_MESSAGE(r.sink.summary.warnings.empty(), solver);
    }
  }
}

// IFToMM A02 passes its singular positions about twice a second: Newton's methods are carried across, explicit ones step over.
// Energy is kept: 0.3 % is the worst measured at 1e-4.
TEST_CASE("N four-bars: every recommended solver passes the singular positions and keeps the energy") {
  for (const auto& s : simulation::all_solvers()) {
    if (s.grade != simulation::Grade::recommended) continue;
    for (const double tolerance : {1e-4, 1e-6}) {
      auto loaded = testing::load("mechanisms/n_four_bar", {.tolerance = tolerance});
      loaded.experiment.solver = s.solver.name();
      CAPTURE(s.solver.name());
      CHECK(testing::run(loaded).sink.summary.energy_closure < (tolerance > 1e-5 ? 1e-2 : 1e-4));
    }
  }
}
